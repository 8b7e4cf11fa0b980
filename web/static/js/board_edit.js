/**
 * A position set by hand: tap a checker and where it goes, drag it, or use the keyboard. Checkers
 * only change places, so there are fifteen a side at every moment.
 */

import {
  BAR_X, DISC, FIELD_BOTTOM, FIELD_TOP, MIDDLE_Y, PITCH, SHOWN, TRAY, countOf, seen, spotOf,
  stackOn, trayOf,
} from "./board_geometry.js"; // prettier-ignore
import { board } from "./board.js";
import { differing } from "./board_arrows.js";
import { h, s } from "./dom.js";
import { _, ngettext } from "./i18n.js";
import { placeName, sideName } from "./numbers.js";

/**
 * @typedef {import("./board_geometry.js").Position} Position
 * @typedef {import("./board_geometry.js").Side} Side
 * @typedef {import("./board_geometry.js").Place} Place
 * @typedef {{place: Place, side?: Side, x: number, y: number, width: number, height: number}} Slot
 */

/** @param {Position} position @returns {Position} */
const copied = (position) => ({
  points: { ...position.points },
  off: { ...position.off },
  ...(position.bar ? { bar: { ...position.bar } } : {}),
});

/**
 * Move one checker; null where it cannot stand.
 * @param {Position} position
 * @param {Side} side
 * @param {Place} from
 * @param {Place} to
 * @returns {Position|null}
 */
export function moved(position, side, from, to) {
  if (typeof to === "number") {
    const there = stackOn(position, to);
    if (there && there.side !== side) return null;
  }
  const next = copied(position);
  const add = (/** @type {Place} */ place, /** @type {number} */ by) => {
    const count = countOf(next, side, place) + by;
    if (place === "off") next.off[side] = count;
    else if (place === "bar") next.bar = { w: 0, b: 0, ...next.bar, [side]: count };
    else if (count > 0) next.points[String(place)] = `${side}${count}`;
    else delete next.points[String(place)];
  };
  if (countOf(position, side, from) < 1) return null;
  add(from, -1);
  add(to, 1);
  return next;
}

/** The drawing with its slots; `position` is what has been set. */
export class BoardEditor {
  /** @type {{place: Place, side: Side}|null} */
  #held = null;
  /** @type {Position[]} */
  #past = [];
  #focus = 0;
  #drag = false;

  /**
   * @param {Position} position to begin with
   * @param {import("./board.js").Look} look
   * @param {() => void} [onchange]
   */
  constructor(position, look, onchange = () => {}) {
    this.start = position;
    this.position = copied(position);
    this.look = look;
    this.onchange = onchange;
    this.place = h("div.editor-board");
    this.note = h("p.editor-note", { "aria-live": "polite" });
    this.undoButton = h("button.quiet", { type: "button", onclick: () => this.back() }, _("One step back"));
    this.element = h(
      "div.editor",
      {},
      h("p.hint", {}, _("Tap a checker, then where it goes; or drag it. Keys: arrows, Enter, Escape.")),
      this.place,
      this.note,
      h("div.buttons", {}, this.undoButton,
        h("button.quiet", { type: "button", onclick: () => this.reset() }, _("As it was"))),
    ); // prettier-ignore
    this.draw();
  }

  back() {
    const before = this.#past.pop();
    if (before) this.position = before;
    this.#held = null;
    this.draw();
    this.onchange();
  }

  reset() {
    if (this.#past.length) this.#past.push(this.position);
    this.position = copied(this.start);
    this.#held = null;
    this.draw();
    this.onchange();
  }

  /** @returns {Slot[]} */
  slots() {
    const layout = seen(this.look.layout ?? null, !!this.look.turned);
    const hasBar = !!this.look.hasBar;
    const tall = SHOWN * DISC + 20;
    /** @type {Slot[]} */
    const all = [...layout.top, ...layout.bottom].map((point) => {
      const spot = spotOf(layout, point);
      const y = spot.up ? FIELD_BOTTOM - tall : FIELD_TOP;
      return { place: point, x: spot.x - PITCH / 2, y, width: PITCH, height: tall };
    });
    for (const side of /** @type {Side[]} */ (["w", "b"])) {
      const tray = trayOf(layout, side, hasBar);
      const y = tray.up ? MIDDLE_Y + 4 : FIELD_TOP;
      all.push({ place: "off", side, x: tray.x - TRAY / 2 + 2, y, width: TRAY - 4, height: MIDDLE_Y - FIELD_TOP - 4 });
      if (hasBar) {
        const top = spotOf(layout, side === "w" ? 24 : 1).up === false;
        all.push({ place: "bar", side, x: BAR_X - 22, y: top ? MIDDLE_Y - 92 : MIDDLE_Y + 2, width: 44, height: 90 });
      }
    }
    return all;
  }

  draw() {
    const slots = this.slots();
    const picture = board(this.position, { ...this.look, marks: differing(this.start, this.position), arrows: [], dice: [] });
    picture.setAttribute("role", "group");
    slots.forEach((slot, index) => picture.append(this.#slot(slot, index)));
    picture.addEventListener("keydown", (event) => this.#key(event, slots));
    picture.addEventListener("pointerup", (event) => this.#drop(event));
    const focused = this.place.contains(document.activeElement);
    this.place.replaceChildren(picture);
    if (focused) this.#focusOn(this.#focus);
    this.undoButton.disabled = !this.#past.length;
  }

  /**
   * @param {Slot} slot
   * @param {number} index
   */
  #slot(slot, index) {
    const held = this.#held?.place === slot.place && (!slot.side || slot.side === this.#held.side);
    return s("rect", {
      class: held ? "slot held" : "slot",
      x: slot.x, y: slot.y, width: slot.width, height: slot.height, rx: 6,
      tabindex: index === this.#focus ? 0 : -1,
      role: "button",
      "aria-pressed": held ? "true" : "false",
      "data-slot": index,
      "aria-label": this.#words(slot),
      onfocus: () => (this.#focus = index),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#take(event, slot, index),
    }); // prettier-ignore
  }

  /** @param {Slot} slot */
  #words(slot) {
    const name = placeName(slot.place, this.look.numbers ?? "white", this.look.view ?? "w", !!this.look.hasBar);
    const on = this.#on(slot);
    if (!on) return `${name}, ${_("empty")}`;
    const count = ngettext("{n} checker", "{n} checkers", on.count);
    return `${name}, ${sideName(on.side)}, ${count}`;
  }

  /** @param {Slot} slot */
  #on(slot) {
    if (typeof slot.place === "number") return stackOn(this.position, slot.place);
    const side = /** @type {Side} */ (slot.side);
    const count = countOf(this.position, side, slot.place);
    return count ? { side, count } : null;
  }

  /** @param {Slot} slot */
  choose(slot) {
    if (!this.#held) {
      const on = this.#on(slot);
      if (on) {
        this.#held = { place: slot.place, side: on.side };
        this.#say(_("Lifted. Now say where it goes."));
      }
    } else if (this.#held.place === slot.place) {
      this.#held = null;
      this.#say("");
    } else {
      const { place, side } = this.#held;
      const next = slot.side && slot.side !== side ? null : moved(this.position, side, place, slot.place);
      if (next) {
        this.#past.push(this.position);
        this.position = next;
        this.#say(this.#words(slot));
        this.onchange();
      } else this.#say(_("It cannot stand there: the other side holds that place."));
      this.#held = null;
    }
    this.draw();
  }

  /** @param {string} text */
  #say(text) {
    this.note.textContent = text;
  }

  /**
   * @param {PointerEvent} event
   * @param {Slot} slot
   * @param {number} index
   */
  #take(event, slot, index) {
    event.preventDefault();
    const on = /** @type {Element} */ (event.target);
    // A finger is held by what it touched first; let go, so that it is seen where it ends.
    if (on.hasPointerCapture(event.pointerId)) on.releasePointerCapture(event.pointerId);
    this.#focus = index;
    this.#drag = !this.#held;
    this.choose(slot);
    this.#focusOn(index);
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    if (!this.#drag || !this.#held) return;
    this.#drag = false;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.getAttribute("data-slot");
    const slot = under ? this.slots()[Number(under)] : null;
    if (slot && slot.place !== this.#held.place) this.choose(slot);
  }

  /** @param {number} index */
  #focusOn(index) {
    this.#focus = index;
    for (const one of this.place.querySelectorAll(".slot")) {
      const mine = one.getAttribute("data-slot") === String(index);
      one.setAttribute("tabindex", mine ? "0" : "-1");
      if (mine) one.focus();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Slot[]} slots
   */
  #key(event, slots) {
    const here = this.#focus;
    const row = (/** @type {number} */ by) => (here < 24 ? (here + 24 + by) % 24 : here);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => this.#focusOn((here + 1) % slots.length),
      ArrowLeft: () => this.#focusOn((here + slots.length - 1) % slots.length),
      ArrowDown: () => this.#focusOn(row(12)),
      ArrowUp: () => this.#focusOn(row(-12)),
      Enter: () => this.choose(slots[here]),
      " ": () => this.choose(slots[here]),
      Escape: () => this.#held && this.choose(slots[here]),
    };
    const action = keys[event.key];
    if (!action || (event.key === "Escape" && !this.#held)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      this.#held = null;
      this.draw();
    } else action();
  }
}
