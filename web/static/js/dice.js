/** Dice: drawn, and chosen by hand. */

import { h, s } from "./dom.js";
import { _ } from "./i18n.js";

const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
}; // prettier-ignore

/**
 * Draw a die inside another drawing.
 * @param {number|null} value null: not read
 * @param {number} x middle
 * @param {number} y middle
 * @param {number} [size]
 * @param {string} [more] classes
 */
export function dieAt(value, x, y, size = 44, more = "") {
  const step = size / 4;
  const pips = /** @type {Record<number, number[][]>} */ (PIPS)[value ?? 0] ?? [];
  return s(
    "g",
    { class: `die ${more}`, transform: `translate(${x - size / 2} ${y - size / 2})` },
    s("rect", { width: size, height: size, rx: size / 6 }),
    pips.map(([column, row]) =>
      s("circle", { cx: step * (column + 1), cy: step * (row + 1), r: size / 10 }),
    ),
    value === null
      ? s("text", { x: size / 2, y: size * 0.72, "text-anchor": "middle", "font-size": size * 0.62 }, "?")
      : null,
  );
}

/**
 * Draw dice alone.
 * @param {(number|null)[]} values
 * @param {number} [size]
 */
export function dice(values, size = 44) {
  const gap = size * 0.2;
  const width = values.length * size + (values.length - 1) * gap;
  return s(
    "svg.dice",
    {
      viewBox: `-1 -1 ${width + 2} ${size + 2}`,
      role: "img",
      "aria-label": values.map((one) => one ?? "?").join(" – "),
    },
    values.map((one, index) => dieAt(one, size / 2 + index * (size + gap), size / 2, size)),
  );
}

/** The number is told by the control beside it. @param {SVGSVGElement} drawing */
function hidden(drawing) {
  drawing.removeAttribute("role");
  drawing.removeAttribute("aria-label");
  drawing.setAttribute("aria-hidden", "true");
  return drawing;
}

/**
 * Two numbers to choose by hand.
 * @param {(numbers: (number|null)[]) => void} onchange
 * @param {(number|null)[]} [from] what is chosen at first
 * @param {string[]} [names] of the dice
 * @returns {HTMLElement}
 */
export function dicePicker(onchange, from = [null, null], names = [_("First die"), _("Second die")]) {
  const chosen = [...from];
  const serial = Math.random().toString(36).slice(2);
  const row = (/** @type {number} */ which) =>
    h(
      "fieldset.dice-row",
      {},
      h("legend", {}, names[which]),
      [1, 2, 3, 4, 5, 6].map((value) =>
        h(
          "label.die-choice",
          {},
          h("input", {
            type: "radio",
            name: `die-${serial}-${which}`,
            value,
            checked: chosen[which] === value,
            "aria-label": String(value),
            onchange: () => {
              chosen[which] = value;
              onchange([...chosen]);
            },
          }),
          hidden(dice([value], 40)),
        ),
      ),
    );
  return h("div.dice-picker", {}, names.map((_name, which) => row(which)));
}
