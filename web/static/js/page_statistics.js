/** Dice, times and pips of a match. */

import "./shell.js";
import { timeText } from "./clock.js";
import { $, h, show } from "./dom.js";
import { api, get, page } from "./http.js";
import { _, language, said } from "./i18n.js";
import { live } from "./live.js";
import { matchList, playersOf } from "./matches.js";
import { sideName } from "./numbers.js";
import { watchLink } from "./shell.js";

const name = document.querySelector("main")?.dataset.match;
const COLUMNS = /** @type {const} */ (["w", "b", "both"]);

/** The theme that is really shown. */
function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen !== "auto") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** @param {number|null|undefined} value @param {number} [places] */
const number = (value, places = 0) => (value === null || value === undefined ? "–" : value.toLocaleString(language, { minimumFractionDigits: places, maximumFractionDigits: places }));
/** @param {number|null|undefined} share */
const percent = (share) => (share === null || share === undefined ? "–" : `${number(100 * share, 1)} %`);
/** @param {number|null|undefined} ms */
const time = (ms) => (ms === null || ms === undefined ? "–" : timeText(ms, false));

/** @param {any} one */
const chi = (one) => (one.enough ? `χ² ${number(one.chi_square, 1)}, p ${number(one.p_value, 3)}` : _("too few throws to tell"));

/** Rows: what, how it is written. @returns {[string, (one: any) => string|number][]} */
const ROWS = () => [
  [_("Turns"), (one) => number(one.turns)],
  [_("Throws"), (one) => number(one.throws)],
  [_("Void throws"), (one) => number(one.void_throws)],
  [_("Wrong plays"), (one) => number(one.wrong_plays)],
  [_("Doubles"), (one) => `${number(one.doubles)} (${percent(one.doubles_share)})`],
  [_("Mean pips a throw"), (one) => number(one.mean_pips, 2)],
  [_("Mean time of a turn"), (one) => time(one.mean_ms)],
  [_("Median time of a turn"), (one) => time(one.median_ms)],
  [_("Longest turn"), (one) => time(one.longest_ms)],
  [_("Are the dice even?"), chi],
];

/** A table that may be wider than a phone is moved with the keys too. @param {string} label */
const scrolls = (label) => ({ tabindex: 0, role: "region", "aria-label": label });

/** @param {any} sides @param {any} players */
function table(sides, players) {
  const shown = COLUMNS.filter((one) => sides[one]);
  const names = { w: players?.w || sideName("w"), b: players?.b || sideName("b"), both: _("Both") };
  return h("div.scroll", scrolls(_("Statistics")), h("table", {},
    h("caption.sr", {}, _("Statistics")),
    h("thead", {}, h("tr", {}, h("td"), shown.map((one) => h("th.number", { scope: "col" }, names[one])))),
    h("tbody", {}, ROWS().map(([what, write]) => h("tr", {}, h("th", { scope: "row" }, what), shown.map((one) => h("td.number", {}, write(sides[one])))))))); // prettier-ignore
}

/** @param {any} sides @param {any} players */
function faces(sides, players) {
  const shown = COLUMNS.filter((one) => sides[one]?.faces);
  if (!shown.length) return null;
  const names = { w: players?.w || sideName("w"), b: players?.b || sideName("b"), both: _("Both") };
  return h("div.scroll", { id: "dice-table", ...scrolls(_("Numbers thrown")) }, h("h2", {}, _("Numbers thrown")), h("table", {},
    h("caption.sr", {}, _("How often each number was thrown")),
    h("thead", {}, h("tr", {}, h("td"), [1, 2, 3, 4, 5, 6].map((face) => h("th.number", { scope: "col" }, face)))),
    h("tbody", {}, shown.map((one) => h("tr", {}, h("th", { scope: "row" }, names[one]), sides[one].faces.map((/** @type {number} */ count) => h("td.number", {}, number(count)))))))); // prettier-ignore
}

async function draw() {
  if (!name) return;
  const path = `matches/${encodeURIComponent(name)}`;
  const [match, numbers] = await Promise.all([get(path), get(`${path}/statistics`)]);
  $("#title").textContent = playersOf(match);
  show($("#numbers-table"), table(numbers, numbers.players), faces(numbers, numbers.players),
    h("p.hint", {}, said(numbers.both.said)));
  const plots = [["dice", _("Numbers thrown")], ["pips", _("Pips to go, turn by turn")], ["times", _("Time of each turn")]];
  show($("#plots"), plots.map(([plot, words]) => h("figure.card", {}, h("figcaption", {}, h("h2", {}, words)),
    h("img", { src: api(`${path}/statistics/${plot}.svg?language=${language}&theme=${theme()}`), alt: `${words}. ${_("The numbers are in the tables above.")}` })))); // prettier-ignore
}

if (name) draw().catch((error) => ($("#title").textContent = error.message));
else void matchList($("#matches"), (one) => page(`statistics/${encodeURIComponent(one.name)}`), _("Statistics"));
watchLink();
live.start();
