/** Settings of this browser and, for the administrator, of the device. */

import "./shell.js";
import { $, h, show } from "./dom.js";
import { api, get, notify, post, role } from "./http.js";
import { _, said } from "./i18n.js";
import { keep, kept } from "./keep.js";
import { live } from "./live.js";
import { choicesOf, sectionName, settingName } from "./setting_words.js";
import { watchLink } from "./shell.js";
import { bindChoice } from "./speech.js";

bindChoice($("#sound"), "sound");
bindChoice($("#speech"), "speech");
for (const name of /** @type {const} */ (["turned", "moves"])) {
  const box = $(`#${name}`);
  box.checked = kept(name);
  box.addEventListener("change", () => keep(name, box.checked));
}
const numbers = $("#numbers");
numbers.value = kept("numbers");
numbers.addEventListener("change", () => keep("numbers", numbers.value));

const side = $("#side");
if (side) {
  side.value = document.documentElement.dataset.side ?? "";
  side.addEventListener("change", () =>
    post("session/side", { side: side.value || null }).then(() => notify(_("Saved.")), (error) => notify(error.message, "bad")));
} // prettier-ignore

/** @param {string} key @param {any} value */
function field(key, value) {
  const words = settingName(key);
  const choices = choicesOf(key);
  if (choices) {
    return h("label.field", {}, words, h("select", { name: key }, choices.map(([one, text]) => h("option", { value: one, selected: one === value }, text))));
  }
  if (typeof value === "boolean") {
    return h("label.check", {}, h("input", { type: "checkbox", name: key, checked: value }), words);
  }
  const kind = typeof value === "number" ? "number" : "text";
  return h("label.field", {}, words, h("input", { name: key, type: kind, step: "any", value: value ?? "", "data-null": value === null, autocomplete: "off" }));
}

/** @param {Record<string, any>} settings */
function drawSettings(settings) {
  /** @type {Map<string, any[]>} */
  const sections = new Map();
  for (const [key, value] of Object.entries(settings)) {
    if (value !== null && typeof value === "object") continue;
    const section = key.includes(".") ? key.split(".")[0] : "table";
    if (!sections.has(section)) sections.set(section, []);
    sections.get(section)?.push(field(key, value));
  }
  show($("#device-fields"), [...sections].map(([section, fields]) => h("fieldset", {}, h("legend", {}, sectionName(section)), h("div.grid-2", {}, fields))));
}

/** Those fields that were changed. @param {HTMLFormElement} form @param {Record<string, any>} before */
function changes(form, before) {
  /** @type {Record<string, any>} */
  const changed = {};
  for (const input of form.querySelectorAll("input[name], select[name]")) {
    const { name, type, checked, value } = /** @type {HTMLInputElement} */ (input);
    const old = before[name];
    const now = type === "checkbox" ? checked : typeof old === "number" ? Number(value) : value === "" && old === null ? null : value;
    if (now !== old) changed[name] = now;
  }
  return changed;
}

async function device() {
  let { settings } = await get("settings");
  drawSettings(settings);
  if (!Object.keys(settings).length) $("#device-fields").textContent = _("This table is set where it is started.");
  const form = $("#device");
  form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    try {
      ({ settings } = await post("settings", { settings: changes(form, settings) }));
      drawSettings(settings);
      notify(_("Saved."));
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "bad");
    }
  });
  $("#diagnostics").href = api("diagnostics.zip");
}

async function pins() {
  const { required } = await get("access");
  $("#pins").addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    /** @type {Record<string, string>} */
    const chosen = {};
    for (const name of ["admin", "referee", "player", "spectator"]) {
      const { value } = $(`#pin-${name}`);
      if (value) chosen[name] = value;
    }
    if (required.some((/** @type {string} */ one) => !chosen[one])) {
      $("#pins-error").textContent = _("Give every role its PIN.");
      return;
    }
    try {
      await post("setup", { pins: chosen });
      location.reload(); // a new session, a new token
    } catch (error) {
      $("#pins-error").textContent = /** @type {Error} */ (error).message;
    }
  });
}

async function health() {
  const { level, findings } = await get("health");
  const kind = { ok: "good", warn: "warn", bad: "bad" }[/** @type {"ok"} */ (level)] ?? "off";
  const words = { ok: _("all right"), warn: _("look at this"), bad: _("wrong") }[/** @type {"ok"} */ (level)] ?? level;
  const lines = (findings ?? []).map((/** @type {any} */ one) => (typeof one === "string" ? one : said(one) || said(one.text) || one.name || JSON.stringify(one)));
  show($("#health"), h("p", {}, h("span", { class: `badge ${kind}` }, words)), lines.length ? h("ul", {}, lines.map((/** @type {string} */ one) => h("li", {}, one))) : null);
}

void health().catch((error) => show($("#health"), error.message));
if (role === "admin") {
  device().catch((error) => notify(error.message, "bad"));
  pins().catch((error) => notify(error.message, "bad"));
}
watchLink();
live.start();
