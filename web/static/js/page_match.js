/** Setting up a match. */

import "./shell.js";
import { $, show } from "./dom.js";
import { live } from "./live.js";
import { MatchForm, underWay } from "./match_form.js";
import { watchLink } from "./shell.js";

const form = new MatchForm();
form.load().then(
  () => show($("#form"), form.whole()),
  (error) => ($("#form").textContent = error.message),
);
live.addEventListener("state", () => {
  $("#under-way").hidden = !underWay();
  $("#form").hidden = underWay();
});
watchLink();
live.start();
