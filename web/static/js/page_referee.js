/** The referee's page: the table, what he may order, the throw in question, and the log. */

import "./shell.js";
import { BoardEditor } from "./board_edit.js";
import { ask, reasonField } from "./dialogs.js";
import { dicePicker } from "./dice.js";
import { $, h, show, whenChanged } from "./dom.js";
import { api, get, say } from "./http.js";
import { _, dated, ngettext, said } from "./i18n.js";
import { live } from "./live.js";
import { sideName } from "./numbers.js";
import { TableView, lookOf } from "./table_view.js";
import { winName } from "./terms.js";
import { actorName } from "./voice.js";

const BY = "referee";
const view = new TableView(document.body, { controls: true });

// --- orders -----------------------------------------------------------------------------------

async function override() {
  const { state } = live;
  if (!state?.position) return;
  const editor = new BoardEditor(state.position, lookOf(state));
  const turn = h("select", {}, ["w", "b"].map((one) => h("option", { value: one, selected: one === (state.turn ?? "w") }, sideName(/** @type {"w"} */ (one)))));
  let roll = state.roll ?? [null, null];
  const thrown = h("input", { type: "checkbox", checked: !!state.roll });
  const picker = dicePicker((numbers) => {
    roll = numbers;
    thrown.checked = true;
  }, roll);
  const why = reasonField(true);
  const note = h("p.error", { "aria-live": "assertive" });
  const given = await ask(_("Set position, turn and throw"), [
    editor.element,
    h("label.field", {}, _("Whose turn is it?"), turn),
    h("label.check", {}, thrown, _("The dice have been thrown")), picker, why.label, note,
  ], [{
    name: _("Order it"), kind: "main",
    ready: () => {
      const whole = !thrown.checked || roll.every((/** @type {any} */ one) => one !== null);
      note.textContent = !why.value() ? _("Give a reason.") : whole ? "" : _("Choose both numbers.");
      return !note.textContent;
    },
    answer: () => ({ position: editor.position, turn: turn.value, roll: thrown.checked ? roll : null, reason: why.value() }),
  }], { wide: true }); // prettier-ignore
  if (given) await say({ word: "override", by: BY, ...given });
}

/** @param {number} ms */
const clockText = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")}`;
/** @param {string} text */
function clockMs(text) {
  const found = /^(\d{1,4}):([0-5]?\d)$/.exec(text.trim());
  return found ? (Number(found[1]) * 60 + Number(found[2])) * 1000 : null;
}

async function setTime() {
  const { clock } = live.state;
  const input = (/** @type {"w"|"b"} */ side) => h("input", { value: clockText(clock[side].left_ms), inputmode: "numeric", autocomplete: "off" });
  const fields = { w: input("w"), b: input("b") };
  const why = reasonField();
  const note = h("p.error", { "aria-live": "assertive" });
  const given = await ask(_("Set the clock"), [
    h("div.grid-2", {}, /** @type {const} */ (["w", "b"]).map((side) => h("label.field", {}, `${sideName(side)}: ${_("minutes:seconds")}`, fields[side]))),
    why.label, note,
  ], [{
    name: _("Set"), kind: "main",
    ready: () => {
      const whole = clockMs(fields.w.value) !== null && clockMs(fields.b.value) !== null;
      note.textContent = whole ? "" : _("Write minutes and seconds, as 5:00.");
      return whole;
    },
    answer: () => ({ white_ms: clockMs(fields.w.value), black_ms: clockMs(fields.b.value), reason: why.value() }),
  }]); // prettier-ignore
  if (given) await say({ word: "set_time", by: BY, ...given });
}

/** @param {any} match */
async function correctResult(match) {
  const select = (/** @type {[string, string][]} */ options, /** @type {string} */ value) =>
    h("select", {}, options.map(([key, name]) => h("option", { value: key, selected: key === value }, name)));
  const last = match.results.at(-1);
  const game = select(match.results.map((/** @type {any} */ one) => [String(one.game), _("Game {n}", { n: one.game })]), String(last.game));
  const winner = select([["w", sideName("w")], ["b", sideName("b")], ["", _("a draw")]], last.winner ?? "");
  const win = select(["oin", "mars", "home_mars", "koks"].map((one) => [one, winName(one)]), last.win ?? "oin");
  const points = h("input", { type: "number", min: 0, max: 999, value: last.points });
  const why = reasonField(true);
  const given = await ask(_("Correct a result"), [
    h("label.field", {}, _("Game"), game), h("label.field", {}, _("Won by (colours of that game)"), winner),
    h("label.field", {}, _("Kind"), win), h("label.field", {}, _("Points won"), points), why.label,
  ], [{
    name: _("Correct it"), kind: "main", ready: () => points.reportValidity() && !!why.value(),
    answer: () => ({ game: Number(game.value), winner: winner.value || null, win: winner.value ? win.value : null, points: Number(points.value), reason: why.value() }),
  }]); // prettier-ignore
  if (given) await say({ word: "correct_result", by: BY, ...given });
}

/** @param {string} key @param {string} name @param {() => unknown} onclick */
const order = (key, name, onclick) => h("button", { type: "button", "data-key": key, onclick }, name);

const drawOrders = whenChanged((/** @type {any} */ state) => {
  const over = ["not_opened", "game_over", "match_over"].includes(state.phase);
  const mine = state.may?.referee ?? [];
  show($("#orders"),
    over ? null : order("override", _("Set position, turn and throw…"), override),
    mine.includes("set_time") ? order("time", _("Set the clock…"), setTime) : null,
    state.match?.results.length ? order("result", _("Correct a result…"), () => correctResult(state.match)) : null); // prettier-ignore
});

// --- the throw in question ----------------------------------------------------------------------

/** @param {any} row */
function showThrow(row) {
  const [picture] = row.evidence ?? [];
  if (!picture) return;
  const values = (row.data.dice ?? []).map((/** @type {any} */ one) => one.value ?? "?").join("-");
  const image = h("img", { src: api(`pictures/${picture.sha256}/dice?seq=${row.seq}`), alt: _("The throw in close-up: {dice}", { dice: values }) });
  image.addEventListener("error", () => show($("#last-throw"), h("p.hint", {}, _("The picture is not kept any more."))));
  show($("#last-throw"), h("figure", {}, image,
    h("figcaption", {}, `${sideName(row.data.side)}: ${values} · ${dated(row.wall)} · ${_("sure to {percent} %", { percent: Math.round(100 * (row.data.confidence ?? 1)) })}`))); // prettier-ignore
}

// --- the log ------------------------------------------------------------------------------------

// Under the board where there is room beside it, else below what the referee presses.
const wide = matchMedia("(min-width: 900px)");
const placeLog = () => $(wide.matches ? ".board-place" : "main").append($(".log-place"));
wide.addEventListener("change", placeLog);
placeLog();

/** @type {Map<number, any>} */
const rows = new Map();
/** @type {any[]} */
let steps = [];
let match = "";
let waiting = 0;

/** What a person said for a reason. @param {any} row */
function whoAndWhy(row) {
  const { by, reason } = row?.data ?? {};
  const who = by && !["camera", "system"].includes(by) ? actorName(by) : "";
  return [who, reason].filter(Boolean).join(": ");
}

function drawLog() {
  const shown = steps.filter((one) => one.told.length || whoAndWhy(rows.get(one.seq))).slice(-80).reverse();
  $("#log-size").textContent = ngettext("{n} event in the record", "{n} events in the record", steps.length);
  show($("#log"), shown.map((step) => h("tr", {},
    h("td", {}, new Date(step.wall).toLocaleTimeString(document.documentElement.lang)),
    h("td", {}, step.told.length ? step.told.map(said).join(" ") : said(step.label)),
    h("td", {}, whoAndWhy(rows.get(step.seq)))))); // prettier-ignore
}

async function loadLog() {
  waiting = 0;
  const name = live.state?.match?.name;
  if (!name) return;
  if (name !== match) {
    match = name;
    steps = [];
  }
  try {
    const path = `matches/${encodeURIComponent(name)}/steps`;
    for (;;) {
      const { steps: more } = await get(`${path}?after=${steps.at(-1)?.seq ?? 0}&limit=1000`);
      steps.push(...more);
      if (more.length < 1000) break;
    }
    const first = steps[0]?.seq ?? 1;
    for (let after = Math.max(first - 1, (rows.size ? Math.max(...rows.keys()) : 0)); ; ) {
      const { entries } = await get(`entries?after=${after}&limit=500`);
      for (const row of entries) rows.set(row.seq, row);
      if (entries.length < 500) break;
      after = entries.at(-1).seq;
    }
    drawLog();
    const last = [...rows.values()].reverse().find((one) => ["throw_seen", "opening_die_seen"].includes(one.kind));
    if (last) showThrow(last);
  } catch {
    // The next event tries again.
  }
}

live.addEventListener("state", () => {
  const { state } = live;
  drawOrders(state, [state.phase, state.may?.referee, state.match?.results, state.roll, state.question?.asked]);
  if (state.match?.name !== match && !waiting) waiting = setTimeout(loadLog, 50);
});
live.addEventListener("entry", () => {
  if (!waiting) waiting = setTimeout(loadLog, 400);
});
live.start();
view.update();
