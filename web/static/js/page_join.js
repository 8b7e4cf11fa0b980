/** QR codes by which phones join, one a role. */

import "./shell.js";
import { $, h, show } from "./dom.js";
import { api, get } from "./http.js";
import { _ } from "./i18n.js";
import { roleName } from "./terms.js";

const wanted = document.querySelector("main")?.dataset.joining || "player";
const select = $("#join-role");

/** @param {string} role */
async function draw(role) {
  show($("#qr"), h("img", { src: api(`join/${role}.svg`), alt: _("QR code to join as {role}", { role: roleName(role) }) }));
  $("#address").textContent = (await get(`join/${role}`)).address;
}
if (select) {
  select.value = wanted;
  select.addEventListener("change", () => void draw(select.value));
  void draw(select.value);
}
