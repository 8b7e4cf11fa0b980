/** The table to look at: nothing here can be pressed. */

import "./shell.js";
import { $ } from "./dom.js";
import { live } from "./live.js";
import { bindChoice } from "./speech.js";
import { TableView } from "./table_view.js";

new TableView(document.body);
bindChoice($("#sound"), "sound");
bindChoice($("#speech"), "speech");
live.start();
