/** A recorded match, step by step. */

import "./shell.js";
import { $, h, show } from "./dom.js";
import { get, notify, page } from "./http.js";
import { _, said } from "./i18n.js";
import { keep, kept } from "./keep.js";
import { live } from "./live.js";
import { matchList } from "./matches.js";
import { stepBoard, stepPictures, stepWords } from "./step_view.js";
import { watchLink } from "./shell.js";

const LIMIT = 500;
const PLAY_MS = 1500;
const name = document.body.querySelector("main")?.dataset.match;

/** @type {any[]} */
let all = [];
/** Those that are shown. @type {any[]} */
let steps = [];
let at = 0;
let playing = 0;

/** Steps that tell something; the others are for whoever looks for a fault. @param {any} step */
const telling = (step) => step.told.length > 0;

async function load() {
  if (!name) return;
  let after = 0;
  for (;;) {
    const answer = await get(`matches/${encodeURIComponent(name)}/steps?after=${after}&limit=${LIMIT}`);
    const more = answer.steps;
    all.push(...more);
    if (more.length < LIMIT) break;
    after = more.at(-1).seq;
  }
  choose();
  const wanted = Number(new URLSearchParams(location.search).get("seq"));
  const found = steps.findIndex((one) => one.seq >= wanted);
  go(wanted && found >= 0 ? found : 0);
}

function choose() {
  const seq = steps[at]?.seq ?? 0;
  steps = $("#every").checked ? all : all.filter(telling);
  $("#slider").max = String(Math.max(0, steps.length - 1));
  show($("#steps"), steps.map((step, index) => h("li", {}, h("button.step", {
    type: "button", "data-index": index, onclick: () => go(index),
  }, (step.told ?? []).map(said).join(" ") || said(step.label))))); // prettier-ignore
  go(Math.max(0, steps.findIndex((one) => one.seq >= seq)));
}

/** @param {number} index */
function go(index) {
  if (!steps.length) return;
  at = Math.min(steps.length - 1, Math.max(0, index));
  const step = steps[at];
  const before = all[all.indexOf(step) - 1];
  show($("#board"), stepBoard(step, before, live.state?.layout ?? null));
  show($("#words"), stepWords(step));
  const from = $("#every").checked ? all.indexOf(step) : all.indexOf(steps[at - 1]) + 1;
  show($("#pictures"), stepPictures(all.slice(from, all.indexOf(step) + 1)));
  $("#slider").value = String(at);
  $("#slider").setAttribute("aria-valuetext", _("Step {n} of {all}", { n: at + 1, all: steps.length }));
  $("#place").textContent = _("Step {n} of {all}", { n: at + 1, all: steps.length });
  const place = $("#steps");
  for (const one of place.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  const mine = place.querySelector(`[data-index="${at}"]`);
  mine?.setAttribute("aria-current", "step");
  if (mine) place.scrollTop = mine.offsetTop - place.clientHeight / 2;
  if (at === steps.length - 1) stop();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  $("#play").textContent = _("Play");
}

function play() {
  if (playing) return stop();
  if (at === steps.length - 1) go(0);
  playing = setInterval(() => go(at + 1), PLAY_MS);
  $("#play").textContent = _("Stop");
}

const MOVES = {
  ArrowLeft: () => go(at - 1),
  ArrowRight: () => go(at + 1),
  Home: () => go(0),
  End: () => go(steps.length - 1),
  " ": play,
};

if (name) {
  $("#first").addEventListener("click", MOVES.Home);
  $("#back").addEventListener("click", MOVES.ArrowLeft);
  $("#next").addEventListener("click", MOVES.ArrowRight);
  $("#last").addEventListener("click", MOVES.End);
  $("#play").addEventListener("click", play);
  $("#slider").addEventListener("input", () => go(Number($("#slider").value)));
  $("#every").addEventListener("change", choose);
  const turned = $("#turned");
  turned.checked = kept("turned");
  turned.addEventListener("change", () => {
    keep("turned", turned.checked);
    go(at);
  });
  addEventListener("keydown", (event) => {
    const on = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || on.closest("input:not([type=checkbox]), select, textarea")) return;
    if (event.key === " " && on.closest("button, a, summary, input")) return;
    const move = MOVES[/** @type {keyof typeof MOVES} */ (event.key)];
    if (!move) return;
    event.preventDefault();
    move();
  });
  load().catch((error) => notify(error.message, "bad"));
} else {
  void matchList($("#matches"), (one) => page(`replay/${encodeURIComponent(one.name)}`), _("Replay"));
}
watchLink();
live.start();
