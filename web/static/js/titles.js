/** Rule sets by the names players know them by. */

import { get } from "./http.js";
import { said } from "./i18n.js";

/** @type {Map<string, {ru: string, en: string}>} */
const titles = new Map();

/** Ask once for all titles; a page without them shows the short names. */
export async function loadTitles() {
  try {
    for (const one of (await get("rules")).rules) titles.set(one.name, one.title);
  } catch {
    // The short names will do.
  }
}

/** @param {string|undefined} name a set, or one changed as in `classic+block=in_home` */
export function ruleTitle(name) {
  if (!name) return "";
  const [base, ...changes] = name.split("+");
  const title = said(titles.get(base)) || base;
  return changes.length ? `${title} + ${changes.join(", ")}` : title;
}
