/** Both clocks, counting; and the button of the side whose turn it is to press. */

import { later, timeText } from "./clock.js";
import { $, h, show, whenChanged } from "./dom.js";
import { say } from "./http.js";
import { _ } from "./i18n.js";
import { live } from "./live.js";
import { sideName } from "./numbers.js";
import { pauseWords } from "./terms.js";
import { actorOf, sides } from "./voice.js";

/** @typedef {"w"|"b"} Side */
const LOW_MS = 30_000;
const PRESS_REST_MS = 500;

/** @param {any} state @returns {any} the reading as it may be now */
export function readingNow(state) {
  const now = live.time.latest(performance.now());
  const elapsed = now === null ? 0 : now - state.clock.at_ms;
  return later(state.clock, elapsed);
}

/**
 * What pressing would do for a side on this page.
 * @param {any} state
 * @param {Side} side
 * @returns {{name: string}|null}
 */
export function pressOf(state, side) {
  if (!sides(state).includes(side)) return null;
  const { clock } = state;
  if (clock.phase === "ready" && clock.starts_by === side && state.phase === "awaiting_throw") {
    return { name: _("Start the clock") };
  }
  if (state.turn !== side || clock.phase === "flag") return null;
  if (state.phase === "playing") return { name: _("End of turn") };
  return null;
}

/** @param {Side} side */
export const press = (side) => say({ word: "press", by: actorOf(side) });

/**
 * The panel of one side; it keeps itself up to date.
 * @param {Side} side
 */
export function clockPanel(side) {
  const name = h("h2.who");
  const score = h("span.score");
  const disc = h("span", { class: "piece", "aria-hidden": "true" });
  const time = h("div.time", { role: "timer" });
  const more = h("p.time-more");
  const foot = h("p.side-foot");
  const element = h("section", { class: `clock side-${side}`, "aria-label": sideName(side) },
    h("header", {}, disc, name, score), time, more, foot); // prettier-ignore

  const head = whenChanged((/** @type {any} */ state) => {
    const light = (state.layout?.white ?? "L") === "D" ? side === "b" : side === "w";
    disc.className = `piece ${light ? "light" : "dark"}`;
    name.textContent = state.match?.players[side] || sideName(side);
    show(score, state.match ? [h("span.sr", {}, _("Score")), ` ${state.match.score[side]}`] : "");
    const voids = state.match?.voids[side] ?? 0;
    foot.textContent = [
      state.pips ? _("pips: {n}", { n: state.pips[side] }) : "",
      voids ? _("void throws: {n}", { n: voids }) : "",
    ].filter(Boolean).join(" · "); // prettier-ignore
  });

  return {
    element,
    /** @param {any} state */
    update(state) {
      head(state, [state.match, state.pips, state.layout?.white]);
      element.classList.toggle("turn", state.turn === side);
    },
    /** @param {any} state */
    tick(state) {
      const reading = readingNow(state);
      const mine = reading[side];
      const runs = reading.phase === "running" && reading.to_move === side;
      const free = reading.kind === "none";
      const left = free ? mine.used_ms : mine.left_ms || mine.overtime_left_ms;
      const text = timeText(left, !free);
      if (time.textContent !== text) time.textContent = text;
      const notes = [];
      if (free) notes.push(_("time used"));
      else if (!mine.left_ms && mine.overtime_left_ms) notes.push(_("overtime"));
      if (runs && reading.delay_left_ms > 0) notes.push(_("delay {time}", { time: timeText(reading.delay_left_ms, false) }));
      if (reading.phase === "paused" && state.turn === side && reading.pause) notes.push(pauseWords(reading.pause.reason));
      if (reading.flag === side) notes.push(_("time is up"));
      const words = notes.join(" · ");
      if (more.textContent !== words) more.textContent = words;
      element.classList.toggle("runs", runs);
      element.classList.toggle("low", !free && left < LOW_MS && runs);
      element.classList.toggle("fallen", reading.flag === side);
    },
  };
}

/**
 * The button that ends a turn, one for all sides of this page; always in the same place.
 * @param {HTMLElement} place
 */
export function pressBar(place) {
  /** @type {Side|null} */
  let side = null;
  const button = h("button.press.main", { type: "button", onclick: () => {
    if (!side) return;
    void press(side);
    button.disabled = true; // a tap that trembles is one press
    setTimeout(() => (button.disabled = !side), PRESS_REST_MS);
  } }); // prettier-ignore
  show(place, button);
  place.hidden = true;
  const draw = whenChanged((/** @type {any} */ [now, name]) => {
    side = now;
    button.disabled = !now;
    button.textContent = name;
  });
  return (/** @type {any} */ state) => {
    const mine = /** @type {Side[]} */ (sides(state));
    place.hidden = !mine.length || !state.match || !!state.question || ["setting_up", "game_over", "match_over"].includes(state.phase);
    const able = mine.find((one) => pressOf(state, one)) ?? null;
    const name = able ? pressOf(state, able)?.name : _("End of turn");
    draw([able, able && mine.length > 1 ? `${name}: ${sideName(able)}` : name]);
  };
}

/** Mark the clocks as not to be trusted. @param {Element} root @param {boolean} stale */
export function markStale(root, stale) {
  root.classList.toggle("stale", stale);
  const badge = $(".clock-lag", root);
  if (badge) badge.hidden = !(stale || live.time.lags);
}
