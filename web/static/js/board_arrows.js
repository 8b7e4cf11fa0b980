/** The moves of a play as arrows over the board. */

import { MIDDLE_Y, countOf, targetOf } from "./board_geometry.js";
import { s } from "./dom.js";
import { ownNumber } from "./numbers.js";

/**
 * @typedef {import("./board_geometry.js").Position} Position
 * @typedef {import("./board_geometry.js").Layout} Layout
 * @typedef {import("./board_geometry.js").Side} Side
 * @typedef {import("./board_geometry.js").Place} Place
 * @typedef {import("./board.js").Arrow} Arrow
 * @typedef {import("./board.js").Look} Look
 */

/**
 * @param {Layout} layout
 * @param {Arrow} arrow
 * @param {Position} before
 * @param {Position} after
 * @param {boolean} hasBar
 * @param {number} turn how many arrows end there already
 */
function arrowLine(layout, arrow, before, after, hasBar, turn) {
  const { side } = arrow;
  const from = targetOf(layout, arrow.from, side, countOf(before, side, arrow.from), hasBar);
  const to = targetOf(layout, arrow.to, side, countOf(after, side, arrow.to) - turn, hasBar);
  const bend = from.y === to.y ? (from.y < MIDDLE_Y ? 1 : -1) * 70 : 0;
  const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + bend };
  return s("path", {
    class: arrow.wrong ? "arrow wrong" : "arrow",
    d: `M ${from.x} ${from.y} Q ${mid.x} ${mid.y} ${to.x} ${to.y}`,
    "marker-end": arrow.wrong ? "url(#head-wrong)" : "url(#head)",
  });
}

/**
 * @param {Layout} layout
 * @param {Look} look
 * @param {Position} position
 */
export function arrows(layout, look, position) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  return (look.arrows ?? []).map((one) => {
    const key = String(one.to);
    const before = ends.get(key) ?? 0;
    ends.set(key, before + 1);
    return arrowLine(layout, one, position, position, !!look.hasBar, before);
  });
}

/**
 * Points where two positions differ.
 * @param {Position|null} one
 * @param {Position|null} other
 */
export function differing(one, other) {
  if (!one || !other) return [];
  const points = [];
  for (let point = 1; point <= 24; point += 1) {
    if (one.points[point] !== other.points[point]) points.push(point);
  }
  return points;
}

/**
 * Moves of the record as arrows: 25 is the bar, 0 is off.
 * @param {[number, number][]} moves
 * @param {Side} side
 * @returns {Arrow[]}
 */
export function arrowsOf(moves, side) {
  const joined = joinedMoves(moves);
  return joined.map(([from, to]) => ({
    from: from === 25 ? "bar" : from,
    to: to === 0 ? "off" : to,
    side,
  }));
}

/**
 * Steps of one checker as one arrow.
 * @param {[number, number][]} moves
 */
function joinedMoves(moves) {
  /** @type {[number, number][]} */
  const joined = [];
  for (const [from, to] of moves) {
    const last = joined.find((one) => one[1] === from);
    if (last && from !== 25) last[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}

/**
 * Arrows from where checkers are gone to where they came, where the moves are not known.
 * @param {Position} before
 * @param {Position} after
 * @param {Side} side
 * @param {{wrong?: boolean, hasBar?: boolean}} [as]
 * @returns {Arrow[]}
 */
export function arrowsBetween(before, after, side, { wrong = false, hasBar = false } = {}) {
  const points = Array.from({ length: 24 }, (_none, index) => index + 1).sort(
    (one, other) => ownNumber(other, side, hasBar) - ownNumber(one, side, hasBar),
  );
  /** @type {Place[]} */
  const gone = [];
  /** @type {Place[]} */
  const came = [];
  for (const place of /** @type {Place[]} */ (["bar", ...points, "off"])) {
    const change = countOf(after, side, place) - countOf(before, side, place);
    for (let n = 0; n < Math.abs(change); n += 1) (change < 0 ? gone : came).push(place);
  }
  return gone.slice(0, came.length).map((from, index) => ({ from, to: came[index], side, wrong }));
}
