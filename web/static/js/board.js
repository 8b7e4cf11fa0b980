/** The board as a drawing, in the orientation of the real one. */

import {
  BAR, BAR_X, DISC, FIELD_BOTTOM, FIELD_HEIGHT, FIELD_TOP, HEIGHT, LEFT_X, MIDDLE_Y, PITCH,
  RADIUS, RIGHT_X, RIM, SHOWN, TRAY, WIDTH, barOf, columnX, countOf, discY, seen, spotOf, stackOn,
  trayOf,
} from "./board_geometry.js"; // prettier-ignore
import { arrows } from "./board_arrows.js";
import { dieAt } from "./dice.js";
import { s } from "./dom.js";
import { _ } from "./i18n.js";
import { pointLabel, positionWords, sideName } from "./numbers.js";

/**
 * @typedef {import("./board_geometry.js").Position} Position
 * @typedef {import("./board_geometry.js").Layout} Layout
 * @typedef {import("./board_geometry.js").Side} Side
 * @typedef {import("./board_geometry.js").Place} Place
 * @typedef {{from: Place, to: Place, side: Side, wrong?: boolean}} Arrow
 * @typedef {{layout?: Layout|null, turned?: boolean, numbers?: string, view?: Side,
 *   hasBar?: boolean, dice?: (number|null)[], turn?: Side|null, arrows?: Arrow[],
 *   marks?: number[], cube?: any, label?: string, plain?: boolean}} Look
 */

/**
 * Whether a side's checkers are the light ones.
 * @param {Layout} layout
 * @param {Side} side
 */
const isLight = (layout, side) => (layout.white === "D") === (side === "b");

/**
 * @param {number} x
 * @param {number} y
 * @param {boolean} light
 * @param {string} [more]
 */
export function disc(x, y, light, more = "") {
  return s(
    "g",
    { class: `disc ${light ? "light" : "dark"} ${more}`, transform: `translate(${x} ${y})` },
    s("circle.body", { r: RADIUS - 1 }),
    light ? null : s("circle.hatch", { r: RADIUS - 2, fill: "url(#hatch)" }),
    s("circle.ring", { r: RADIUS * 0.62 }),
  );
}

/**
 * @param {import("./board_geometry.js").Spot} spot
 * @param {number} count
 * @param {boolean} light
 */
function stack(spot, count, light) {
  const drawn = Math.min(count, SHOWN);
  const parts = [];
  for (let index = 0; index < drawn; index += 1) {
    parts.push(disc(spot.x, discY(spot, index), light));
  }
  if (count > SHOWN) parts.push(countLabel(spot.x, discY(spot, SHOWN - 1), count, light));
  return parts;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} count
 * @param {boolean} light
 */
const countLabel = (x, y, count, light) =>
  s(
    "g",
    { class: `count ${light ? "light" : "dark"}` },
    s("circle", { cx: x, cy: y, r: RADIUS * 0.7 }),
    s("text", { x, y: y + 6.5, "text-anchor": "middle" }, count),
  );

/** @param {Layout} layout */
function field(layout) {
  const parts = [
    s("rect.frame", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 10 }),
    s("rect.felt", { x: TRAY, y: FIELD_TOP, width: 6 * PITCH, height: FIELD_HEIGHT }),
    s("rect.felt", { x: BAR_X + BAR / 2, y: FIELD_TOP, width: 6 * PITCH, height: FIELD_HEIGHT }),
    s("line.hinge", { x1: BAR_X, y1: 0, x2: BAR_X, y2: HEIGHT }),
  ];
  const tall = SHOWN * DISC - 12;
  for (const up of [false, true]) {
    const y = up ? FIELD_BOTTOM : FIELD_TOP;
    const tip = up ? y - tall : y + tall;
    (up ? layout.bottom : layout.top).forEach((_point, column) => {
      const x = columnX(column);
      const half = PITCH / 2 - 1;
      const even = (column + (up ? 1 : 0)) % 2 === 0;
      parts.push(
        s("polygon", {
          class: even ? "point even" : "point odd",
          points: `${x - half},${y} ${x + half},${y} ${x},${tip}`,
        }),
      );
    });
  }
  return parts;
}

/**
 * @param {Layout} layout
 * @param {Look} look
 */
function labels(layout, look) {
  if (look.numbers === "none") return [];
  const marks = new Set(look.marks ?? []);
  return [...layout.top, ...layout.bottom].map((point) => {
    const spot = spotOf(layout, point);
    const text = pointLabel(point, look.numbers ?? "white", look.view ?? "w", !!look.hasBar);
    return s(
      "text",
      {
        class: marks.has(point) ? "label marked" : "label",
        x: spot.x,
        y: spot.up ? HEIGHT - 7 : RIM - 8,
        "text-anchor": "middle",
      },
      text,
    );
  });
}

/**
 * @param {Layout} layout
 * @param {Position} position
 * @param {boolean} hasBar
 */
function checkers(layout, position, hasBar) {
  const parts = [];
  for (const point of [...layout.top, ...layout.bottom]) {
    const on = stackOn(position, point);
    if (on) parts.push(...stack(spotOf(layout, point), on.count, isLight(layout, on.side)));
  }
  for (const side of /** @type {Side[]} */ (["w", "b"])) {
    const light = isLight(layout, side);
    const hit = countOf(position, side, "bar");
    if (hit) {
      const spot = barOf(layout, side);
      parts.push(disc(spot.x, spot.y, light));
      if (hit > 1) parts.push(countLabel(spot.x, spot.y, hit, light));
    }
    const off = countOf(position, side, "off");
    if (off) parts.push(borneOff(trayOf(layout, side, hasBar), off, light));
  }
  return parts;
}

/**
 * Checkers on edge beside the board, with their number.
 * @param {import("./board_geometry.js").Spot} tray
 * @param {number} count
 * @param {boolean} light
 */
function borneOff(tray, count, light) {
  const parts = [];
  for (let index = 0; index < count; index += 1) {
    const y = tray.up ? tray.y - 11 * (index + 1) : tray.y + 11 * index;
    parts.push(
      s("rect", {
        class: `edge ${light ? "light" : "dark"}`,
        x: tray.x - 15, y: y + 1, width: 30, height: 9, rx: 2,
      }), // prettier-ignore
    );
  }
  const y = tray.up ? tray.y - 11 * count - 10 : tray.y + 11 * count + 22;
  parts.push(s("text.off-count", { x: tray.x, y, "text-anchor": "middle" }, count));
  return s("g.off", {}, parts);
}

/**
 * The cube lies on the bar: in the middle, or with its owner.
 * @param {any} cube
 * @param {Layout} layout
 */
function cubeAt(cube, layout) {
  const home = cube.owner ? spotOf(layout, cube.owner === "w" ? 1 : 24) : null;
  const y = !home ? MIDDLE_Y : home.up ? FIELD_BOTTOM - 24 : FIELD_TOP + 24;
  return s(
    "g.cube",
    { transform: `translate(${BAR_X} ${y})` },
    s("rect", { x: -19, y: -19, width: 38, height: 38, rx: 5 }),
    s("text", { y: 8, "text-anchor": "middle" }, cube.value),
  );
}

/**
 * Draw a position.
 * @param {Position|null} position
 * @param {Look} [look]
 * @returns {SVGSVGElement}
 */
export function board(position, look = {}) {
  const layout = seen(look.layout ?? null, !!look.turned);
  const hasBar = !!look.hasBar;
  const words = position
    ? positionWords(position, look.numbers ?? "white", look.view ?? "w", hasBar)
    : _("No position yet.");
  const turnWord = look.turn ? _("Turn: {side}.", { side: sideName(look.turn) }) : "";
  const rolled = look.dice?.length ? _("Dice: {dice}.", { dice: look.dice.map((d) => d ?? "?").join("-") }) : "";
  const label = [look.label, turnWord, rolled, words].filter(Boolean).join(" ");
  // The mover's dice: White's in the right half, Black's in the left.
  const diceX = look.turn === "b" ? LEFT_X : RIGHT_X;
  return s(
    "svg",
    {
      class: look.plain ? "board small" : "board",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": label,
    },
    field(layout),
    look.plain ? null : labels(layout, look),
    position ? checkers(layout, position, hasBar) : null,
    look.cube ? cubeAt(look.cube, layout) : null,
    (look.marks ?? []).map((point) => mark(layout, point)),
    position ? arrows(layout, look, position) : null,
    (look.dice ?? []).map((value, index, all) =>
      dieAt(value, diceX + (index - (all.length - 1) / 2) * 60, MIDDLE_Y, 48, look.turn ?? ""),
    ),
  );
}

/**
 * @param {Layout} layout
 * @param {number} point
 */
function mark(layout, point) {
  const spot = spotOf(layout, point);
  return s("rect.mark", {
    x: spot.x - PITCH / 2 + 1,
    y: spot.up ? spot.y - SHOWN * DISC : spot.y,
    width: PITCH - 2,
    height: SHOWN * DISC,
    rx: 6,
  });
}
