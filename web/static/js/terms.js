/** The players' words for what the table names in code. */

import { _ } from "./i18n.js";

/** @param {string} code */
export const winName = (code) =>
  ({ oin: _("oin (single)"), mars: _("mars (gammon)"), home_mars: _("home mars"), koks: _("koks (backgammon)") })[code] ?? code;

/** @param {string} code */
export const howName = (code) =>
  ({ played: _("played out"), resigned: _("resigned"), cube_dropped: _("double dropped"), time: _("on time"), draw: _("a draw") })[code] ?? code;

/** @param {string} code */
export const reasonWords = (code) =>
  ({
    missing_die: _("not both dice can be seen"),
    too_many_dice: _("there are more than two dice"),
    off_board: _("a die is off the board"),
    on_woodwork: _("a die is on the woodwork"),
    different_halves: _("the dice lie in both halves"),
    wrong_half: _("the dice are not in the right half"),
    on_checker: _("a die lies on a checker"),
    tilted: _("a die is cocked"),
    touches_checker: _("a die touches a checker"),
    touches_wall: _("a die touches the wall"),
    value_unsure: _("a number cannot be read"),
    facts_unsure: _("how a die lies cannot be seen"),
  })[code] ?? code;

/** @param {string} code @returns {[string, string]} sign and words */
export const lampWords = (code) =>
  /** @type {Record<string, [string, string]>} */ ({
    green: ["✓", _("all right")],
    amber: ["?", _("a question")],
    red: ["✕", _("wrong")],
    off: ["–", _("waiting")],
  })[code] ?? ["–", code];

/** @param {string} code */
export const phaseName = (code) =>
  ({
    not_opened: _("No match"),
    setting_up: _("Put up the start position"),
    opening: _("One die each"),
    awaiting_throw: _("To throw"),
    throw_asked: _("The throw is asked about"),
    playing: _("To move"),
    judging: _("The board is being read"),
    play_asked: _("The position is asked about"),
    disputed: _("Disputed play"),
    premature_asked: _("Thrown too early"),
    claim_asked: _("A touch is claimed"),
    double_asked: _("Double"),
    resign_asked: _("Resignation"),
    flag_asked: _("Out of time"),
    lost: _("The board is lost"),
    game_over: _("The game is over"),
    match_over: _("The match is over"),
  })[code] ?? code;

/** @param {string} code @returns {[string, string]} kind of badge and words */
export const sightWords = (code) =>
  /** @type {Record<string, [string, string]>} */ ({
    off: ["off", _("no camera")],
    starting: ["warn", _("camera starts")],
    live: ["good", _("camera live")],
    stale: ["bad", _("picture frozen")],
    lost: ["bad", _("camera lost")],
    no_board: ["bad", _("no board found")],
    blind: ["bad", _("picture cannot be read")],
    hand: ["good", _("hand over the board")],
  })[code] ?? ["off", code];

/** @param {string} code */
export const linkWords = (code) =>
  ({
    connecting: _("connecting…"),
    live: _("live"),
    polling: _("live (every second)"),
    stale: _("no connection: shown is the last known state"),
  })[code] ?? code;

/** @param {string} code */
export const pauseWords = (code) =>
  ({
    asked: _("pause"),
    question: _("paused by the question"),
    both_pressed: _("both buttons pressed"),
    taken_back: _("play taken back"),
    time_set: _("time was set"),
    restart: _("program restarted"),
  })[code] ?? code;

/** @param {string} code */
export const roleName = (code) =>
  ({ admin: _("administrator"), referee: _("referee"), player: _("player"), spectator: _("spectator") })[code] ?? code;

/** @param {string} code */
export const arbiterName = (code) =>
  ({ silent: _("records and says nothing"), monitor: _("flags wrong plays"), referee: _("stops the clock on a wrong play") })[code] ?? code;
