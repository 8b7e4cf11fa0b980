/** Words of the scripts: English in the source, the viewer's language from the catalogue. */

const root = document.documentElement;
/** The viewer's language. @type {"ru"|"en"} */
export const language = root.lang === "ru" ? "ru" : "en";

/** @type {Record<string, string|string[]>} */
let catalogue = {};
const address = root.dataset.catalogue;
if (address) {
  try {
    catalogue = await (await fetch(address)).json();
  } catch {
    catalogue = {}; // English is better than nothing
  }
}

/** Forms in the catalogue's order, by the browser's name of them. */
const FORMS = { one: 0, few: 1, many: 2, other: 2 };
const plural = new Intl.PluralRules(language);

/**
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/**
 * Translate.
 * @param {string} text English, `{name}` for values
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function _(text, values = {}) {
  const found = catalogue[text];
  return filled(typeof found === "string" && found ? found : text, values);
}

/**
 * Translate what is counted.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function ngettext(one, many, n, values = {}) {
  const found = catalogue[one];
  const all = { n, ...values };
  if (Array.isArray(found)) {
    const form = FORMS[/** @type {"one"} */ (plural.select(n))] ?? 2;
    return filled(found[form] ?? found[found.length - 1], all);
  }
  return filled(n === 1 ? one : many, all);
}

/**
 * Take the viewer's language of a sentence that comes in both.
 * @param {{ru: string, en: string}|null|undefined} both
 * @returns {string}
 */
export const said = (both) => (both ? (both[language] ?? both.en ?? "") : "");

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
/** @param {string|null|undefined} wall UTC */
export const dated = (wall) => {
  const time = wall ? new Date(wall) : null;
  return time && !Number.isNaN(time.valueOf()) ? dates.format(time) : "";
};
