/** The live picture with what is seen drawn on it. */

import "./shell.js";
import { dice } from "./dice.js";
import { $, h, show, whenChanged } from "./dom.js";
import { notify, post } from "./http.js";
import { _, said } from "./i18n.js";
import { live } from "./live.js";
import { LivePicture } from "./picture.js";
import { watchLink } from "./shell.js";
import { sightWords } from "./terms.js";

const picture = new LivePicture({ drawn: true });
show($("#picture"), picture.frame);
/** @type {HTMLInputElement} */
const drawn = $("#drawn");
drawn.checked = true;
drawn.addEventListener("change", () => picture.setDrawn(drawn.checked));

const facts = whenChanged((/** @type {any} */ sight) => {
  const [kind, words] = sightWords(sight.state);
  const rows = [
    [_("Camera"), h("span", { class: `badge ${kind}` }, words)],
    [_("Source"), sight.source || "–"],
    [_("Pictures a second"), sight.fps === null ? "–" : sight.fps.toFixed(1)],
    [_("Left out"), sight.dropped],
    [_("Size"), sight.size_px ? sight.size_px.join(" × ") : "–"],
    [_("Board"), sight.corners_px
      ? sight.corners_by_hand ? _("corners set by hand") : _("found, {percent} %", { percent: Math.round(100 * (sight.corners_confidence ?? 0)) })
      : _("not found")],
    [_("Dice"), sight.dice.length ? dice(sight.dice.map((/** @type {any} */ one) => one.value), 32) : _("none seen")],
  ]; // prettier-ignore
  show($("#facts"), rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))));
  const notes = [sight.trouble, ...sight.advice].filter(Boolean).map(said);
  $("#advice").hidden = !notes.length;
  show($("#advice-list"), notes.map((one) => h("li", {}, one)));
});
live.addEventListener("state", () => {
  const { sight } = live.state;
  facts(sight, { ...sight, age_ms: 0, fps: sight.fps === null ? null : Math.round(sight.fps * 2) / 2 });
});

$("#wrong-form")?.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const note = $("#wrong-note");
  try {
    const { kept } = await post("wrong-reading", { note: note.value, correction: {} });
    notify(_("Kept as {name}.", { name: kept }));
    note.value = "";
  } catch (error) {
    notify(/** @type {Error} */ (error).message, "bad");
  }
});
watchLink();
live.start();
picture.start();
