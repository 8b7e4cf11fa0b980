/** What every page has: the menu, language, theme, and the state of the connection. */

import { $ } from "./dom.js";
import { notify, post } from "./http.js";
import { live } from "./live.js";
import { linkWords } from "./terms.js";

const root = document.documentElement;

for (const select of document.querySelectorAll("select[data-session]")) {
  select.addEventListener("change", async () => {
    const { value, dataset } = /** @type {HTMLSelectElement} */ (select);
    const what = /** @type {string} */ (dataset.session);
    if (what === "theme") root.dataset.theme = value;
    try {
      await post(`session/${what}`, { [what]: value });
      if (what !== "theme") location.reload();
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "bad");
    }
  });
}

$("#logout")?.addEventListener("click", async () => {
  await post("logout").catch(() => null);
  location.reload();
});

/** Menus close when the focus or a tap goes elsewhere. */
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) menu.removeAttribute("open");
});

/** Show how the connection is on pages that have no table. */
export function watchLink() {
  const draw = () => {
    const badge = document.getElementById("link");
    if (!badge) return;
    badge.className = `badge ${live.link === "live" || live.link === "polling" ? "good" : "bad"}`;
    badge.textContent = linkWords(live.link);
    document.body.classList.toggle("stale", live.link === "stale");
  };
  live.addEventListener("link", draw);
  live.addEventListener("state", draw);
}
