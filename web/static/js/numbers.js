/** Points by the number the viewer is used to. */

import { _ } from "./i18n.js";

/** @typedef {import("./board_geometry.js").Side} Side */

const QUARTERS = ["I", "II", "III", "IV"];

/**
 * A point by its own number of a side.
 * @param {number} point absolute: White's number
 * @param {Side} side
 * @param {boolean} hasBar short nardy: the sides travel towards each other
 */
export function ownNumber(point, side, hasBar) {
  if (side === "w") return point;
  if (hasBar) return 25 - point;
  return point > 12 ? point - 12 : point + 12;
}

/**
 * What is written beside a point.
 * @param {number} point
 * @param {string} scheme white | own | quarter | none
 * @param {Side} side whose view is taken for `own`
 * @param {boolean} hasBar
 */
export function pointLabel(point, scheme, side, hasBar) {
  if (scheme === "none") return "";
  if (scheme === "own") return String(ownNumber(point, side, hasBar));
  if (scheme === "quarter") {
    // Quarters in the order White travels; six points each.
    const from = 24 - point;
    return `${QUARTERS[Math.floor(from / 6)]}·${(from % 6) + 1}`;
  }
  return String(point);
}

/**
 * A place in words.
 * @param {import("./board_geometry.js").Place} place
 * @param {string} scheme
 * @param {Side} side
 * @param {boolean} hasBar
 */
export function placeName(place, scheme, side, hasBar) {
  if (place === "bar") return _("bar");
  if (place === "off") return _("off");
  return pointLabel(place, scheme === "none" ? "white" : scheme, side, hasBar);
}

/** @param {Side|null|undefined} side */
export const sideName = (side) => (side === "w" ? _("White") : side === "b" ? _("Black") : "");

/**
 * A position in words, for those who do not see the drawing.
 * @param {import("./board_geometry.js").Position} position
 * @param {string} scheme
 * @param {Side} view
 * @param {boolean} hasBar
 */
export function positionWords(position, scheme, view, hasBar) {
  /** @type {Side[]} */
  const sides = ["w", "b"];
  return sides
    .map((side) => {
      const stacks = Object.entries(position.points)
        .filter(([, stack]) => stack[0] === side)
        .sort(([one], [other]) => Number(other) - Number(one))
        .map(
          ([point, stack]) =>
            `${placeName(Number(point), scheme, view, hasBar)} – ${stack.slice(1)}`,
        );
      const bar = position.bar?.[side] ?? 0;
      const off = position.off?.[side] ?? 0;
      if (bar) stacks.push(`${_("bar")} – ${bar}`);
      if (off) stacks.push(`${_("off")} – ${off}`);
      return `${sideName(side)}: ${stacks.join(", ")}.`;
    })
    .join(" ");
}
