/** The table's page: for players, the referee and whoever looks on. */

import "./shell.js";
import { $ } from "./dom.js";
import { role } from "./http.js";
import { keep, kept } from "./keep.js";
import { live } from "./live.js";
import { bindChoice } from "./speech.js";
import { TableView } from "./table_view.js";

const view = new TableView(document.body, { controls: role !== "spectator" });
bindChoice($("#sound"), "sound");
bindChoice($("#speech"), "speech");

for (const [id, choice] of /** @type {const} */ ([["#turned", "turned"], ["#moves", "moves"]])) {
  /** @type {HTMLInputElement|null} */
  const box = $(id);
  if (!box) continue;
  const draw = () => (box.checked = kept(choice));
  draw();
  box.addEventListener("change", () => keep(choice, box.checked));
  document.addEventListener("choice", draw);
}
/** @type {HTMLSelectElement|null} */
const numbers = $("#numbers");
if (numbers) {
  numbers.value = kept("numbers");
  numbers.addEventListener("change", () => keep("numbers", numbers.value));
}
live.start();
view.update();
