/** The device's settings in players' words; a key that is not here shows its own name. */

import { _ } from "./i18n.js";
import { arbiterName } from "./terms.js";

/** @param {string} section */
export const sectionName = (section) =>
  ({
    table: _("Table"), camera: _("Camera"), buttons: _("Buttons"), lamp: _("Lamp and buzzer"), clock: _("Clock"),
    web: _("Network"), record: _("Record"), referee: _("The arbiter"), calibration: _("Calibration"), sound: _("Sound"),
  })[/** @type {"table"} */ (section)] ?? section; // prettier-ignore

/** @param {string} key `section.key` */
export const settingName = (key) =>
  ({
    "table.name": _("Name of the table"),
    "table.rules": _("Rules of a new match"),
    "table.language": _("Language of the table"),
    "camera.source": _("Which camera (auto: the first found)"),
    "camera.width": _("Width of the picture, px"),
    "camera.height": _("Height of the picture, px"),
    "camera.fps": _("Pictures a second"),
    "camera.mains_hz": _("Mains that lamps flicker with, Hz"),
    "buttons.source": _("Where presses come from"),
    "buttons.white_pin": _("Pin of White's button"),
    "buttons.black_pin": _("Pin of Black's button"),
    "lamp.source": _("What the lamp hangs on"),
    "lamp.green_pin": _("Pin of the green light (0: none)"),
    "lamp.amber_pin": _("Pin of the amber light (0: none)"),
    "lamp.red_pin": _("Pin of the red light (0: none)"),
    "lamp.buzzer_pin": _("Pin of the buzzer (0: none)"),
    "clock.control": _("Clock of a new match"),
    "web.host": _("Address listened on (0.0.0.0: the whole network)"),
    "web.port": _("Port"),
    "web.spectators_see_camera": _("Spectators see the live picture"),
    "web.spectator_delay_s": _("Spectators see the match late by, s (0: at once)"),
    "record.folder": _("Folder of the record"),
    "record.budget_mb": _("Room for pictures, MB"),
    "referee.role": _("What the arbiter does"),
    "calibration.profile": _("Calibration profile"),
  })[/** @type {"web.port"} */ (key)] ?? key.split(".").at(-1)?.replaceAll("_", " ") ?? key;

/**
 * The values of a key that has but a few.
 * @param {string} key
 * @returns {[string, string][]|null}
 */
export function choicesOf(key) {
  switch (key) {
    case "table.language":
      return [["auto", _("as the device has it")], ["ru", "Русский"], ["en", "English"]];
    case "buttons.source":
      return [["gpio", _("the Pi's pins")], ["keyboard", _("keyboard")], ["none", _("only this page")]];
    case "lamp.source":
      return [["gpio", _("the Pi's pins")], ["none", _("there is none")]];
    case "referee.role":
      return ["referee", "monitor", "silent"].map((one) => [one, arbiterName(one)]);
    default:
      return null;
  }
}
