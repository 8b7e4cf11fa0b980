/** A PIN opens the table. */

import "./shell.js";
import { $ } from "./dom.js";
import { page, post } from "./http.js";

const form = $("#login");
const pin = $("#pin");
form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const side = new FormData(form).get("side") || null;
  try {
    await post("login", { pin: pin.value.trim(), side });
    const next = new URLSearchParams(location.search).get("next") ?? "";
    // Only paths of this device: a link from elsewhere cannot lead away.
    const inside = /^\/[^/\\]/.test(next) || next === "/";
    location.assign(inside ? next : page(""));
  } catch (error) {
    $("#error").textContent = /** @type {Error} */ (error).message;
    pin.value = "";
    pin.focus();
  }
});
