/** The four corners of the playing field over the picture: dragged, or moved with the keys. */

import { h, s } from "./dom.js";
import { _ } from "./i18n.js";

/** @typedef {[number, number]} Spot */

const NAMES = () => [_("Corner: top left"), _("Corner: top right"), _("Corner: bottom right"), _("Corner: bottom left")];

/** Handles over a picture. */
export class CornerEditor {
  /** @type {Spot[]} */
  corners = [];
  touched = false;
  #size = [1280, 960];
  #held = -1;

  /** @param {HTMLElement} frame the live picture's frame */
  constructor(frame) {
    this.drawing = s("svg", { class: "corners", preserveAspectRatio: "none", role: "group", "aria-label": _("Corners of the playing field") });
    frame.append(this.drawing);
    this.drawing.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#move(event));
    addEventListener("pointerup", () => (this.#held = -1));
  }

  /**
   * Take what the table has found; what a person is setting stays.
   * @param {any} sight
   */
  take(sight) {
    if (this.touched) return;
    if (sight.size_px) this.#size = sight.size_px;
    const [width, height] = this.#size;
    const given = sight.corners_px ?? [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]].map(([x, y]) => [x * width, y * height]);
    if (JSON.stringify(given) === JSON.stringify(this.corners) && this.drawing.childElementCount) return;
    this.corners = given.map((/** @type {Spot} */ one) => [...one]);
    this.draw();
  }

  draw() {
    const [width, height] = this.#size;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const radius = width / 38;
    const focused = document.activeElement?.getAttribute("data-corner");
    this.drawing.replaceChildren(
      s("polygon", { points: this.corners.map((one) => one.join(",")).join(" "), "stroke-width": width / 320 }),
      ...this.corners.map(([x, y], index) =>
        s("g.handle", {
          tabindex: 0, role: "slider", "data-corner": index, transform: `translate(${x} ${y})`,
          "aria-label": NAMES()[index], "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`,
          "aria-valuenow": Math.round(x), "aria-valuemin": 0, "aria-valuemax": width,
          onpointerdown: (/** @type {PointerEvent} */ event) => {
            event.preventDefault();
            this.#held = index;
            /** @type {SVGElement} */ (event.currentTarget).focus();
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, index),
        },
        s("circle.grip", { r: radius }), s("circle.hole", { r: radius * 0.45 }),
        s("path", { d: `M ${-radius * 0.7} 0 H ${radius * 0.7} M 0 ${-radius * 0.7} V ${radius * 0.7}` }))),
    ); // prettier-ignore
    if (focused) /** @type {any} */ (this.drawing.querySelector(`[data-corner="${focused}"]`))?.focus();
  }

  /**
   * @param {number} index
   * @param {number} x
   * @param {number} y
   */
  #put(index, x, y) {
    const [width, height] = this.#size;
    this.corners[index] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    this.touched = true;
    this.draw();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#held < 0) return;
    const box = this.drawing.getBoundingClientRect();
    const [width, height] = this.#size;
    this.#put(this.#held, ((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  #key(event, index) {
    const step = event.shiftKey ? 10 : 1;
    const by = /** @type {Record<string, Spot>} */ ({ ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] })[event.key];
    if (!by) return;
    event.preventDefault();
    const [x, y] = this.corners[index];
    this.#put(index, x + by[0], y + by[1]);
  }
}
