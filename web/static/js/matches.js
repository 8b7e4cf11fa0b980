/** The list of recorded matches. */

import { h, show } from "./dom.js";
import { get } from "./http.js";
import { _, dated } from "./i18n.js";
import { loadTitles, ruleTitle } from "./titles.js";

/**
 * @param {Element} place
 * @param {(match: any) => string} address
 * @param {string} verb
 */
export async function matchList(place, address, verb) {
  try {
    const [answer] = await Promise.all([get("matches"), loadTitles()]);
    const matches = answer.matches;
    if (!matches.length) {
      show(place, h("p.hint", {}, _("No match has been recorded yet.")));
      return;
    }
    show(place, h("ul.match-list", {}, matches.map((/** @type {any} */ one) => h("li.card", {},
      h("div", {},
        h("h2", {}, playersOf(one)),
        h("p.meta", {}, [dated(one.began), ruleTitle(one.rules), scoreOf(one), one.name === answer.current && !one.over ? _("under way") : ""].filter(Boolean).join(" · "))),
      h("a.button", { href: address(one), "aria-label": `${verb}: ${playersOf(one)}, ${dated(one.began)}` }, verb))))); // prettier-ignore
  } catch (error) {
    show(place, h("p.error", {}, /** @type {Error} */ (error).message));
  }
}

/** @param {any} match */
export function playersOf(match) {
  return `${match.white || _("White")} – ${match.black || _("Black")}`;
}

/** @param {any} match */
export const scoreOf = (match) => (match.score ? `${match.score.w} : ${match.score.b}` : "");
