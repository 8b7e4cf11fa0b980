/** The one-time code, and the PINs that are chosen with it. */

import "./shell.js";
import { $ } from "./dom.js";
import { page, post } from "./http.js";
import { _ } from "./i18n.js";

const form = $("#setup");
const code = $("#code");
code.value = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  /** @type {Record<string, string>} */
  const pins = {};
  for (const role of ["admin", "referee", "player", "spectator"]) {
    const { value } = $(`#pin-${role}`);
    if (value) pins[role] = value;
  }
  if (new Set(Object.values(pins)).size < Object.values(pins).length) {
    $("#error").textContent = _("Every role needs a PIN of its own.");
    return;
  }
  try {
    await post("setup", { code: code.value.trim(), pins });
    location.assign(page("wizard"));
  } catch (error) {
    $("#error").textContent = /** @type {Error} */ (error).message;
  }
});
