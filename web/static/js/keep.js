/** Choices of this browser, kept here only: no server needs to know them. */

/** Every choice with its default. */
const DEFAULTS = {
  numbers: "white", // white | own | quarter | none
  turned: false, // the board seen from the other side
  moves: false, // show what is left to play
  sound: true,
  speech: false,
};

/** @typedef {keyof typeof DEFAULTS} Choice */

/**
 * @param {Choice} name
 * @returns {any}
 */
export function kept(name) {
  try {
    const text = localStorage.getItem(`zarbiter.${name}`);
    return text === null ? DEFAULTS[name] : JSON.parse(text);
  } catch {
    return DEFAULTS[name];
  }
}

/**
 * @param {Choice} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`zarbiter.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still works; the choice lasts as long as the page.
  }
  document.dispatchEvent(new CustomEvent("choice", { detail: name }));
}
