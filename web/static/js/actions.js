/** What may be said at any time: pause, the referee, corrections, resignation, double, undo. */

import { ask, askPosition, askThrow, confirmed, reasonField } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./http.js";
import { _ } from "./i18n.js";
import { sideName } from "./numbers.js";
import { winName } from "./terms.js";
import { able, actorName, chosen, sides, speakers } from "./voice.js";

/** @typedef {import("./board.js").Look} Look */

/**
 * @param {string} key
 * @param {string} name
 * @param {() => unknown} onclick
 * @param {string} [kind]
 */
const button = (key, name, onclick, kind = "quiet") =>
  h("button", { type: "button", class: kind, "data-key": key, onclick }, name);

/**
 * One button for a word with nothing to fill in.
 * @param {any} state
 * @param {string} word
 * @param {string} name
 * @param {string} [kind]
 */
function plain(state, word, name, kind = "quiet") {
  const by = chosen(able(state, word));
  return by ? button(word, name, () => say({ word, by }), kind) : null;
}

/**
 * A button for each side of this page that may say a word.
 * @param {any} state
 * @param {string} word
 * @param {string} name
 * @param {(by: string, side: "w"|"b") => unknown} onclick
 * @param {string} [kind]
 */
function sided(state, word, name, onclick, kind = "quiet") {
  if (document.documentElement.dataset.page === "referee") return []; // the referee plays for nobody
  const mine = able(state, word).filter((one) => one === "white" || one === "black");
  return mine.map((by) => {
    const side = by === "white" ? "w" : "b";
    const full = mine.length > 1 || sides(state).length > 1 ? `${name}: ${actorName(by)}` : name;
    return button(`${word}-${by}`, full, () => onclick(by, side), kind);
  });
}

/** @param {string} by @param {"w"|"b"} side */
async function resign(by, side) {
  const win = await ask(
    _("{side} resigns. For how much?", { side: sideName(side) }),
    [h("p", {}, _("The opponent answers."))],
    ["oin", "mars", "koks"].map((one) => ({ name: winName(one), answer: () => one })),
  );
  if (win) await say({ word: "resign", by, win });
}

/** @param {string} by @param {Look} look */
async function touch(by, look) {
  const input = h("input", { type: "number", min: 1, max: 25, value: 24, inputmode: "numeric" });
  const point = await ask(
    _("Which point was touched?"),
    [h("label.field", {}, look.hasBar ? _("Point by White's numbers; 25 is the bar") : _("Point by White's numbers"), input)],
    [{ name: _("Claim the touch"), kind: "main", answer: () => Number(input.value), ready: () => input.reportValidity() }],
  ); // prettier-ignore
  if (point) await say({ word: "touch", by, point });
}

/** @param {string} by */
export async function undo(by) {
  const why = reasonField();
  const turns = h("input", { type: "number", min: 1, max: 100, value: 1, inputmode: "numeric" });
  const given = await ask(
    _("Take turns back?"),
    [h("p", {}, _("The game goes back to the beginning of an earlier turn; the clock stops. What was played stays in the record.")),
      h("label.field", {}, _("How many turns"), turns), why.label],
    [{ name: _("Take back"), kind: "main", ready: () => turns.reportValidity(), answer: () => ({ turns: Number(turns.value), reason: why.value() }) }],
  ); // prettier-ignore
  if (given) await say({ word: "undo", by, ...given });
}

/** @param {any} state @param {Look} look */
function correctThrow(state, look) {
  const by = chosen(able(state, "throw"));
  if (!by || state.question?.asked === "throw") return [];
  const fix = async () => {
    const given = await askThrow(_("What was thrown?"), { from: state.roll ?? [null, null], void: state.phase === "playing", reason: true });
    if (given) await say({ word: "throw", by, ...given });
  };
  const parts = [button("fix-throw", _("Other throw…"), fix)];
  if (state.phase === "awaiting_throw" && state.position) {
    parts.push(button("fix-position", _("Other position…"), async () => {
      const given = await askPosition(_("What stands on the board?"), state.position, look, { reason: true });
      if (given) await say({ word: "position", by, ...given });
    })); // prettier-ignore
  }
  return parts;
}

/** A turn that was played and pressed though no throw was seen. @param {any} state */
function unseenThrow(state) {
  const { turn, phase, clock } = state;
  if (phase !== "awaiting_throw" || clock.phase !== "running" || !sides(state).includes(turn)) return null;
  return button("unseen", _("Moved, but the throw was not seen"), () => say({ word: "press", by: turn === "w" ? "white" : "black" }));
}

/** @param {any} state */
function startStands(state) {
  if (state.phase !== "setting_up" || !state.position) return null;
  const by = chosen(speakers(state));
  return by && button("start", _("The start position stands"), () => say({ word: "start", by, position: state.position }), "main");
}

/**
 * Buttons that are asked for by the state of the game.
 * @param {any} state
 * @param {Look} look
 */
export function primaryActions(state, look) {
  const paused = state.clock.phase === "paused" && !state.question;
  return [
    startStands(state),
    plain(state, "next_game", _("Next game"), "main"),
    paused ? plain(state, "resume", _("Go on"), "main") : null,
    state.called ? plain(state, "referee_left", _("The referee is done"), "main") : null,
    sided(state, "double", _("Double"), (by) => say({ word: "double", by }), ""),
    correctThrow(state, look),
  ].flat().filter(Boolean); // prettier-ignore
}

/**
 * All others, behind one button on a phone.
 * @param {any} state
 * @param {Look} look
 */
export function moreActions(state, look) {
  const undoBy = chosen(able(state, "undo"));
  const closeBy = chosen(able(state, "close_match"));
  const touchBy = chosen(able(state, "touch"));
  return [
    state.clock.phase === "paused" ? null : plain(state, "pause", _("Pause")),
    unseenThrow(state),
    state.called ? null : plain(state, "call_referee", _("Call the referee")),
    undoBy ? button("undo", _("Take a turn back…"), () => undo(undoBy)) : null,
    sided(state, "adjust", _("I adjust"), (by) => say({ word: "adjust", by })),
    touchBy && state.match?.touch_law ? button("touch", _("Claim a touch…"), () => touch(touchBy, look)) : null,
    sided(state, "resign", _("Resign…"), (by, side) => resign(by, side)),
    closeBy ? button("close", _("End the match…"), async () => {
      const yes = await confirmed(_("End the match?"), _("It is signed as it stands and cannot be gone on with."), _("End it"));
      if (yes) await say({ word: "close_match", by: closeBy });
    }) : null,
  ].flat().filter(Boolean); // prettier-ignore
}
