/** What is asked in a window of its own: yes or no, a throw, a position, a reason. */

import { BoardEditor } from "./board_edit.js";
import { dicePicker } from "./dice.js";
import { h } from "./dom.js";
import { _ } from "./i18n.js";

/**
 * Show a dialog and wait; null: closed without an answer.
 * @template T
 * @param {string} title
 * @param {(HTMLElement|string|null)[]} content
 * @param {{name: string, kind?: string, answer: () => T, ready?: () => boolean}[]} choices
 * @param {{wide?: boolean}} [look]
 * @returns {Promise<T|null>}
 */
export function ask(title, content, choices, look = {}) {
  return new Promise((resolve) => {
    /** @type {T|null} */
    let given = null;
    const buttons = choices.map((one) =>
      h("button", { type: "button", class: one.kind ?? "", onclick: () => {
        if (one.ready && !one.ready()) return;
        given = one.answer();
        dialog.close();
      } }, one.name)); // prettier-ignore
    const dialog = h(
      look.wide ? "dialog.wide" : "dialog",
      { "aria-labelledby": "dialog-title" },
      h("h2", { id: "dialog-title" }, title),
      content.filter(Boolean),
      h("div.buttons", {}, buttons,
        h("button.quiet", { type: "button", onclick: () => dialog.close() }, _("Cancel"))),
    ); // prettier-ignore
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @param {boolean} [wanted] whether something must be written */
export function reasonField(wanted = false) {
  const input = h("input", { type: "text", maxlength: 500, required: wanted, autocomplete: "off" });
  const label = h("label.field", {}, wanted ? _("Reason (goes into the record)") : _("Reason (may be left out)"), input);
  return { label, value: () => input.value.trim(), focus: () => input.focus() };
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 */
export const confirmed = async (title, text, yes) =>
  (await ask(title, [h("p", {}, text)], [{ name: yes, kind: "main", answer: () => true }])) === true;

/**
 * Ask for two numbers.
 * @param {string} title
 * @param {{from?: (number|null)[], void?: boolean, reason?: boolean}} [look]
 * @returns {Promise<{roll: [number, number]|null, reason: string}|null>}
 */
export function askThrow(title, look = {}) {
  let chosen = look.from ?? [null, null];
  const picker = dicePicker((numbers) => (chosen = numbers), chosen);
  const why = look.reason ? reasonField() : null;
  const note = h("p.error", { "aria-live": "assertive" });
  const complete = () => {
    const whole = chosen.length === 2 && chosen.every((one) => one !== null);
    note.textContent = whole ? "" : _("Choose both numbers.");
    return whole;
  };
  const reason = () => why?.value() ?? "";
  return ask(title, [picker, why?.label ?? null, note], [
    { name: _("This was thrown"), kind: "main", ready: complete,
      answer: () => ({ roll: /** @type {[number, number]} */ (chosen), reason: reason() }) },
    ...(look.void ? [/** @type {any} */ ({ name: _("Does not count, throw again"), answer: () => ({ roll: null, reason: reason() }) })] : []),
  ]); // prettier-ignore
}

/**
 * Ask for a position, set by hand.
 * @param {string} title
 * @param {import("./board_geometry.js").Position} from
 * @param {import("./board.js").Look} look
 * @param {{reason?: boolean, more?: HTMLElement|null}} [with_]
 * @returns {Promise<{position: import("./board_geometry.js").Position, reason: string}|null>}
 */
export function askPosition(title, from, look, with_ = {}) {
  const editor = new BoardEditor(from, look);
  const why = with_.reason ? reasonField() : null;
  return ask(
    title,
    [with_.more ?? null, editor.element, why?.label ?? null],
    [{ name: _("This stands on the board"), kind: "main",
       answer: () => ({ position: editor.position, reason: why?.value() ?? "" }) }],
    { wide: true },
  ); // prettier-ignore
}
