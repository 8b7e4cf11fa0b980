/** Where everything on the drawn board lies, in the drawing's own units. */

export const TRAY = 40;
export const PITCH = 46;
export const BAR = 48;
export const DISC = 42;
export const RADIUS = DISC / 2;
export const RIM = 26;
/** Checkers drawn on a point before only their number grows. */
export const SHOWN = 5;
export const FIELD_TOP = RIM;
export const FIELD_HEIGHT = 2 * SHOWN * DISC + 80;
export const WIDTH = 2 * TRAY + 12 * PITCH + BAR;
export const HEIGHT = FIELD_HEIGHT + 2 * RIM;
export const FIELD_BOTTOM = FIELD_TOP + FIELD_HEIGHT;
export const MIDDLE_Y = FIELD_TOP + FIELD_HEIGHT / 2;
export const BAR_X = TRAY + 6 * PITCH + BAR / 2;
export const LEFT_X = TRAY + 3 * PITCH;
export const RIGHT_X = TRAY + 9 * PITCH + BAR;

/**
 * @typedef {"w"|"b"} Side
 * @typedef {{points: Record<string, string>, off: Record<Side, number>,
 *   bar?: Record<Side, number>}} Position
 * @typedef {{top: number[], bottom: number[], white: string}} Layout
 * @typedef {{x: number, y: number, up: boolean}} Spot `up`: stacks grow upwards
 * @typedef {number|"bar"|"off"} Place an absolute point, or beside the points
 */

/** Where the points lie when nobody has said: White's home at the bottom right. */
export const USUAL = {
  top: [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  bottom: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  white: "L",
};

/**
 * Return the layout as this viewer sees it.
 * @param {Layout|null} layout
 * @param {boolean} turned from the other side of the table
 * @returns {Layout}
 */
export function seen(layout, turned) {
  const as = layout ?? USUAL;
  if (!turned) return as;
  return { ...as, top: [...as.bottom].reverse(), bottom: [...as.top].reverse() };
}

/** @param {number} column 0–11 */
export const columnX = (column) => TRAY + (column + 0.5) * PITCH + (column >= 6 ? BAR : 0);

/**
 * @param {Layout} layout
 * @param {number} point
 * @returns {Spot & {column: number}}
 */
export function spotOf(layout, point) {
  const column = layout.top.indexOf(point);
  if (column >= 0) return { x: columnX(column), y: FIELD_TOP, up: false, column };
  const below = layout.bottom.indexOf(point);
  return { x: columnX(below), y: FIELD_BOTTOM, up: true, column: below };
}

/**
 * The middle of a checker in a stack.
 * @param {Spot} spot
 * @param {number} index from the rim
 */
export const discY = (spot, index) => {
  const from = RADIUS + Math.min(index, SHOWN - 1) * DISC;
  return spot.up ? spot.y - from : spot.y + from;
};

/**
 * The last home point of a side, beside which it bears off.
 * @param {Side} side
 * @param {boolean} hasBar short nardy
 */
const homeEdge = (side, hasBar) => (side === "w" ? 1 : hasBar ? 24 : 13);

/**
 * Where a side's borne-off checkers lie: beside its home.
 * @param {Layout} layout
 * @param {Side} side
 * @param {boolean} hasBar
 * @returns {Spot}
 */
export function trayOf(layout, side, hasBar) {
  const edge = spotOf(layout, homeEdge(side, hasBar));
  const x = edge.column < 6 ? TRAY / 2 : WIDTH - TRAY / 2;
  return { x, y: edge.y, up: edge.up };
}

/**
 * Where a side's hit checkers lie on the bar: in the half it enters by.
 * @param {Layout} layout
 * @param {Side} side
 * @returns {Spot}
 */
export function barOf(layout, side) {
  const entry = spotOf(layout, side === "w" ? 24 : 1);
  return { x: BAR_X, y: entry.up ? MIDDLE_Y + 46 : MIDDLE_Y - 46, up: !entry.up };
}

/**
 * The middle of the checker that leaves or comes to a place.
 * @param {Layout} layout
 * @param {Place} place
 * @param {Side} side
 * @param {number} count of the checkers there
 * @param {boolean} hasBar
 */
export function targetOf(layout, place, side, count, hasBar) {
  if (place === "off") {
    const tray = trayOf(layout, side, hasBar);
    return { x: tray.x, y: tray.up ? tray.y - 90 : tray.y + 90 };
  }
  if (place === "bar") {
    const bar = barOf(layout, side);
    return { x: bar.x, y: bar.y };
  }
  const spot = spotOf(layout, place);
  return { x: spot.x, y: discY(spot, Math.max(0, count - 1)) };
}

/**
 * What stands on a point.
 * @param {Position} position
 * @param {number} point
 * @returns {{side: Side, count: number}|null}
 */
export function stackOn(position, point) {
  const text = position.points[String(point)];
  return text ? { side: /** @type {Side} */ (text[0]), count: Number(text.slice(1)) } : null;
}

/**
 * @param {Position} position
 * @param {Side} side
 * @param {Place} place
 */
export function countOf(position, side, place) {
  if (place === "off") return position.off?.[side] ?? 0;
  if (place === "bar") return position.bar?.[side] ?? 0;
  const stack = stackOn(position, place);
  return stack?.side === side ? stack.count : 0;
}
