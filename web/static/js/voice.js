/** Who speaks on this page, and what may be said now. */

/** @typedef {"white"|"black"|"both"|"referee"} Actor */

import { _ } from "./i18n.js";

const root = document.documentElement;
/** On the referee's page a word is the referee's. */
const ruling = root.dataset.role === "referee" || root.dataset.page === "referee";

/** @param {Actor} actor */
export const actorName = (actor) =>
  ({ white: _("White"), black: _("Black"), both: _("both players"), referee: _("the referee") })[actor];

/** @param {any} state @returns {Actor[]} */
export const speakers = (state) => /** @type {Actor[]} */ (Object.keys(state.may ?? {}));

/**
 * Choose who answers, among those who may: the referee on his page, else the one side that is
 * asked, else both together.
 * @param {Actor[]} able
 * @returns {Actor|null}
 */
export function chosen(able) {
  if (!able.length) return null;
  if (ruling && able.includes("referee")) return "referee";
  const sides = able.filter((one) => one === "white" || one === "black");
  if (sides.length === 1) return sides[0];
  if (able.includes("both")) return "both";
  return sides[0] ?? able[0];
}

/**
 * Who may say a word now.
 * @param {any} state
 * @param {string} word
 * @returns {Actor[]}
 */
export const able = (state, word) => speakers(state).filter((one) => state.may[one].includes(word));

/**
 * Who on this page answers the question; null: it waits for somebody else.
 * @param {any} state
 * @returns {Actor|null}
 */
export function answerer(state) {
  const of = state.question?.of ?? [];
  return chosen(speakers(state).filter((one) => of.includes(one)));
}

/** Sides this page speaks for. @param {any} state */
export const sides = (state) =>
  speakers(state).flatMap((one) => (one === "white" ? ["w"] : one === "black" ? ["b"] : []));

/** @param {"w"|"b"} side @returns {Actor} */
export const actorOf = (side) => (side === "w" ? "white" : "black");

/** Whose view is shown where a page speaks for one side. @param {any} state @returns {"w"|"b"} */
export function viewOf(state) {
  const mine = sides(state);
  if (mine.length === 1) return /** @type {"w"|"b"} */ (mine[0]);
  return state.turn ?? "w";
}
