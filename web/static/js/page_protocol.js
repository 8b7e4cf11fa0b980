/** The protocol of a match: what was agreed, how it ended, and its files. */

import "./shell.js";
import { $, h, show } from "./dom.js";
import { api, get, page } from "./http.js";
import { _, dated, language, ngettext, said } from "./i18n.js";
import { live } from "./live.js";
import { matchList, playersOf, scoreOf } from "./matches.js";
import { sideName } from "./numbers.js";
import { watchLink } from "./shell.js";
import { loadTitles, ruleTitle } from "./titles.js";
import { arbiterName, howName, winName } from "./terms.js";

const name = document.querySelector("main")?.dataset.match;

/** Kinds of events that settle a game or a match. */
const ENDS = new Set(["game_ended", "result_corrected", "match_ended"]);

const FORMS = () => [
  ["pdf", _("Protocol sheet (PDF, to sign)")],
  ["mat", _("Match for analysis (.mat)")],
  ["sgf", "SGF"],
  ["json", "JSON"],
  ["csv", _("Throws as a table (CSV)")],
];

/** @param {any} match @param {any} one */
function resultRow(match, one) {
  // Winners are named by the colours of their game; the players may have changed them since.
  const first = one.winner && (one.swapped ? other(one.winner) : one.winner);
  const player = first ? (first === "w" ? match.white : match.black) || sideName(one.winner) : _("a draw");
  return h("tr", {},
    h("td.number", {}, one.game), h("td", {}, player),
    h("td", {}, one.win ? winName(one.win) : "–"), h("td", {}, howName(one.how)),
    h("td.number", {}, one.points)); // prettier-ignore
}

/** @param {string} side */
const other = (side) => (side === "w" ? "b" : "w");

/** @param {any} match */
async function drawResults(match) {
  const current = await get("state");
  const results = match.results ?? (current.match?.name === name ? current.match.results : null);
  if (results) {
    $("#no-results").hidden = results.length > 0;
    $("#results").hidden = !results.length;
    show($("#results tbody"), results.map((/** @type {any} */ one) => resultRow(match, one)));
    return;
  }
  // Of an older match the list of sentences tells it.
  const told = [];
  for (let after = 0; ; ) {
    const { steps } = await get(`matches/${encodeURIComponent(/** @type {string} */ (name))}/steps?after=${after}&limit=2000`);
    told.push(...steps.filter((/** @type {any} */ one) => ENDS.has(one.kind)).map((/** @type {any} */ one) => one.told.map(said).join(" ")));
    if (steps.length < 2000) break;
    after = steps.at(-1).seq;
  }
  $("#no-results").hidden = told.some(Boolean);
  show($("#result-words"), told.filter(Boolean).map((one) => h("li", {}, one)));
}

async function draw() {
  if (!name) return;
  const [match, options] = await Promise.all([get(`matches/${encodeURIComponent(name)}`), get("options"), loadTitles()]);
  const preset = options.clocks.find((/** @type {any} */ one) => one.control === match.clock);
  $("#title").textContent = `${playersOf(match)} ${scoreOf(match)}`;
  const facts = [
    [_("Begun"), dated(match.began)],
    [_("Rules"), ruleTitle(match.rules)],
    [_("Length"), match.length ? ngettext("{n} point", "{n} points", match.length) : _("without end")],
    [_("Clock"), match.clock ? [said(preset?.title), match.clock].filter(Boolean).join(" · ") : _("no clock")],
    [_("Arbiter's part"), match.role ? arbiterName(match.role) : ""],
    [_("Event"), match.event], [_("Place"), match.place], [_("Round"), match.round],
    [_("Season"), match.season], [_("Number"), match.number], [_("Referee"), match.arbiter],
  ].filter(([, value]) => value); // prettier-ignore
  show($("#facts"), facts.map(([what, value]) => h("tr", {}, h("th", { scope: "row" }, what), h("td", {}, value))));
  await drawResults(match);
  show($("#files"), FORMS().map(([form, words]) => h("a.button", { href: api(`matches/${encodeURIComponent(name)}/export?format=${form}&language=${language}`), download: true }, words)));
}

if (name) draw().catch((error) => ($("#title").textContent = error.message));
else void matchList($("#matches"), (one) => page(`protocol/${encodeURIComponent(one.name)}`), _("Protocol"));
watchLink();
live.start();
