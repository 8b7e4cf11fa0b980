/** The table's own screen: to be read at two metres, never to be touched. */

import { TableView } from "./table_view.js";
import { live } from "./live.js";

new TableView(document.body);
live.staysAwake = () => true;
live.start();

// The screen of the table is not to go dark during a match.
async function keepAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Some screens do as they like.
  }
}
document.addEventListener("visibilitychange", () => document.hidden || void keepAwake());
void keepAwake();
