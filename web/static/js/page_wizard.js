/** The set-up wizard: from the language to a test throw. */

import "./shell.js";
import { board } from "./board.js";
import { CornerEditor } from "./corners.js";
import { dice } from "./dice.js";
import { $, h, show, whenChanged } from "./dom.js";
import { get, notify, post } from "./http.js";
import { _, language, ngettext, said } from "./i18n.js";
import { live } from "./live.js";
import { MatchForm, underWay } from "./match_form.js";
import { LivePicture } from "./picture.js";
import { watchLink } from "./shell.js";
import { sightWords } from "./terms.js";

const STEPS = ["language", "camera", "board", "start", "rules", "clock", "throw"];
let at = 0;
/** @type {Record<string, any>} */
let settings = {};

const picture = new LivePicture({ drawn: false });
const corners = new CornerEditor(picture.frame);
const form = new MatchForm();

/** @param {number} to */
function go(to) {
  at = Math.min(STEPS.length - 1, Math.max(0, to));
  const name = STEPS[at];
  for (const section of document.querySelectorAll("section[data-step]")) {
    /** @type {HTMLElement} */ (section).hidden = /** @type {HTMLElement} */ (section).dataset.step !== name;
  }
  document.querySelectorAll("#steps-bar button").forEach((button, index) => {
    if (index === at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  $("#back").disabled = at === 0;
  $("#next").hidden = at === STEPS.length - 1;
  const shows = ["camera", "board", "start", "throw"].includes(name);
  $(`#picture-${name}`)?.append(picture.frame);
  corners.drawing.toggleAttribute("hidden", name !== "board");
  if (shows) {
    picture.drawn = name === "start" || name === "throw";
    picture.start();
  } else picture.stop();
  history.replaceState(null, "", `#${name}`);
  $(`section[data-step="${name}"] h2`)?.focus();
}

// --- camera -----------------------------------------------------------------------------------

async function loadSettings() {
  settings = (await get("settings").catch(() => ({ settings: {} }))).settings;
  const key = Object.keys(settings).find((one) => /^camera\.(source|device)$/.test(one));
  if (!key || document.documentElement.dataset.role !== "admin") return;
  const input = h("input", { id: "camera-source", value: settings[key], autocomplete: "off" });
  show($("#camera-settings"), h("label.field", {}, _("Camera"), input), h("button", { type: "button", onclick: async () => {
    try {
      settings = (await post("settings", { settings: { [key]: input.value } })).settings;
      notify(_("Saved."));
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "bad");
    }
  } }, _("Use this camera"))); // prettier-ignore
}

const drawCamera = whenChanged((/** @type {any} */ sight) => {
  const [kind, words] = sightWords(sight.state);
  const notes = [sight.trouble, ...sight.advice].filter(Boolean).map(said);
  show($("#camera-state"), h("p", {}, h("span", { class: `badge ${kind}` }, words), " ", sight.source), notes.length ? h("ul", {}, notes.map((one) => h("li", {}, one))) : null);
});

// --- board ------------------------------------------------------------------------------------

/** @param {() => Promise<any>} ask @param {string} done */
async function change(ask, done) {
  try {
    const { sight } = await ask();
    corners.touched = false;
    corners.take(sight);
    notify(sight.corners_px ? done : _("No board was found: drag the corners."), sight.corners_px ? "good" : "bad");
  } catch (error) {
    notify(/** @type {Error} */ (error).message, "bad");
  }
}
$("#find").addEventListener("click", () => change(() => post("sight/find"), _("The board was found.")));
$("#use-corners").addEventListener("click", () => change(() => post("sight/corners", { corners: corners.corners }), _("These corners are used.")));

const drawBoardState = whenChanged((/** @type {any} */ sight) => {
  const text = !sight.corners_px
    ? _("No board found yet.")
    : sight.corners_by_hand ? _("The corners are set by hand.")
    : _("Board found; sure to {percent} %", { percent: Math.round(100 * (sight.corners_confidence ?? 0)) });
  show($("#board-state"), h("span", { class: `badge ${sight.corners_px ? "good" : "bad"}` }, text));
});

// --- start position ---------------------------------------------------------------------------

const LONG = { points: { 24: "w15", 12: "b15" }, off: { w: 0, b: 0 } };
const STARTS = /** @type {const} */ (["top_right", "top_left", "bottom_right", "bottom_left"]);

/** @param {string} start where White's point 24 lies */
function rowsOf(start) {
  const upper = Array.from({ length: 12 }, (_none, index) => 24 - index);
  const lower = Array.from({ length: 12 }, (_none, index) => index + 1);
  const left = start.endsWith("left");
  const first = left ? upper : [...upper].reverse();
  const second = left ? lower : [...lower].reverse();
  return start.startsWith("top") ? { top: first, bottom: second } : { top: second, bottom: first };
}

function drawLayouts() {
  const white = $("#white-dark").checked ? "D" : "L";
  const now = live.state?.layout?.white_start;
  const words = { top_right: _("White's head: top right"), top_left: _("White's head: top left"), bottom_right: _("White's head: bottom right"), bottom_left: _("White's head: bottom left") };
  show($("#layouts"), STARTS.map((start) => h("label", {},
    h("input", { type: "radio", name: "start", value: start, checked: start === now, onchange: saveLayout, "data-key": start }),
    board(/** @type {any} */ (LONG), { layout: { ...rowsOf(start), white }, plain: true }),
    h("span.caption", {}, words[start])))); // prettier-ignore
}

async function saveLayout() {
  const start = $("input[name=start]:checked")?.value;
  if (!start) return;
  try {
    await post("sight/layout", { white_start: start, white: $("#white-dark").checked ? "D" : "L" });
  } catch (error) {
    notify(/** @type {Error} */ (error).message, "bad");
  }
}
$("#white-dark").addEventListener("change", () => void saveLayout().then(drawLayouts));

const drawLayoutState = whenChanged((/** @type {any} */ layout) => {
  if (layout) $("#white-dark").checked = layout.white === "D";
  drawLayouts();
});

/** Checkers of each colour that are seen. @param {any} sight */
function seenCount(sight) {
  const labels = [...(sight.points?.top ?? []), ...(sight.points?.bottom ?? [])];
  const of = (/** @type {string} */ letter) => labels.filter((one) => one[0] === letter).reduce((sum, one) => sum + Number(one.slice(1)), 0);
  return { light: of("L"), dark: of("D"), unsure: labels.filter((one) => one === "U").length };
}

const drawStart = whenChanged((/** @type {any} */ sight) => {
  if (!sight.points) return show($("#start-state"), h("p.hint", {}, _("Nothing read yet.")));
  const { light, dark, unsure } = seenCount(sight);
  return show($("#start-state"), h("p", {}, [
    light + dark ? [ngettext("{n} light checker", "{n} light checkers", light), ngettext("{n} dark checker", "{n} dark checkers", dark)].join(", ") : "",
    light + dark ? ". " : "",
    unsure ? ngettext("{n} point is not clear.", "{n} points are not clear.", unsure) : "",
  ])); // prettier-ignore
});

// --- clock and buttons, throw -----------------------------------------------------------------

live.addEventListener("entry", (event) => {
  const row = /** @type {CustomEvent} */ (event).detail;
  if (row.kind !== "pressed" || STEPS[at] !== "clock") return;
  $("#button-state").textContent = row.data.side === "w" ? _("White's button was pressed.") : _("Black's button was pressed.");
});

const drawThrow = whenChanged((/** @type {any} */ found) => {
  show($("#throw-state"), found.length
    ? [dice(found.map((/** @type {any} */ one) => one.value), 56), h("ul", {}, found.map((/** @type {any} */ one) => h("li", {}, dieWords(one))))]
    : h("p.hint", {}, _("Throw the dice on the board: what is seen is shown here.")));
});

/** @param {any} die */
function dieWords(die) {
  const value = die.value === null ? _("number not read") : String(die.value);
  const flat = die.flat === false ? _("cocked") : die.flat ? _("lies flat") : _("how it lies is not clear");
  return `${value}: ${flat}, ${Math.round(100 * die.confidence).toLocaleString(language)} %`;
}

live.addEventListener("state", () => {
  const { sight, layout } = live.state;
  drawCamera(sight, [sight.state, sight.trouble, sight.advice, sight.source]);
  drawBoardState(sight, [sight.corners_px, sight.corners_by_hand, sight.corners_confidence]);
  drawStart(sight, [sight.points]);
  drawThrow(sight.dice, sight.dice.map((/** @type {any} */ one) => [one.value, one.flat]));
  drawLayoutState(layout, [layout?.white_start, layout?.white]);
  corners.take(sight);
  $("#match-under-way").hidden = !underWay();
});

form.load().then(() => {
  show($("#rules-place"), form.rules);
  show($("#clock-place"), form.clock);
  show($("#begin-place"), form.error, form.button());
}, (error) => notify(error.message, "bad")); // prettier-ignore

// The whole wizard is one form, so that its last button begins the match.
const body = $("#wizard-body");
body.replaceWith(form.element);
form.element.append(...body.childNodes);
form.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  // Enter in a field goes on; only the last button begins the match.
  if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("input:not([type=radio])") && at < STEPS.length - 1) {
    event.preventDefault();
    go(at + 1);
  }
});

show($("#steps-bar"), [_("Language"), _("Camera"), _("Board"), _("Checkers"), _("Rules"), _("Clock"), _("Throw")].map((name, index) =>
  h("li", {}, h("button", { type: "button", onclick: () => go(index) }, name)))); // prettier-ignore
$("#back").addEventListener("click", () => go(at - 1));
$("#next").addEventListener("click", () => go(at + 1));
void loadSettings();
drawLayouts();
watchLink();
live.start();
go(Math.max(0, STEPS.indexOf(location.hash.slice(1))));
