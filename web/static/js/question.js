/** The question panel: what a person is asked, with buttons for those whose answer it is. */

import { board } from "./board.js";
import { arrowsBetween, differing } from "./board_arrows.js";
import { dice, dicePicker } from "./dice.js";
import { askPosition, askThrow } from "./dialogs.js";
import { h } from "./dom.js";
import { api, say } from "./http.js";
import { _, said } from "./i18n.js";
import { sideName } from "./numbers.js";
import { reasonWords, winName } from "./terms.js";
import { actorName, able, answerer, sides } from "./voice.js";

/**
 * @typedef {import("./board.js").Look} Look
 * @typedef {(word: string, more?: Record<string, unknown>) => Promise<boolean>} Tell
 */

/** @param {string} name @param {() => unknown} onclick @param {string} [kind] */
const button = (name, onclick, kind = "") =>
  h("button", { type: "button", class: kind, onclick, "data-key": `q-${name}` }, name);

/**
 * Small boards to choose from in one tap.
 * @param {any[]} positions
 * @param {any} before
 * @param {Look} look
 * @param {((position: any) => unknown)|null} onchoose null: only shown
 * @param {string} name
 */
function boards(positions, before, look, onchoose, name) {
  return h("ol.boards", {}, positions.map((position, index) => {
    const drawn = board(position, { ...look, plain: true, marks: differing(before, position), label: `${name} ${index + 1}.` });
    const caption = h("span.caption", {}, `${index + 1}`);
    return h("li", {}, onchoose
      ? h("button.choice", { type: "button", onclick: () => onchoose(position), "data-key": `b${index}` }, drawn, caption)
      : h("div.choice", {}, drawn, caption));
  })); // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedThrow(state, tell) {
  const { values, reasons, extra } = state.question;
  return [
    h("h2", {}, extra.pressed ? _("What was thrown?") : _("Does this throw count?")),
    values.length ? h("div.asked-dice", {}, dice(values, 56)) : null,
    reasons.length ? h("p", {}, reasons.map(reasonWords).join("; ")) : null,
    h("div.buttons", {},
      extra.roll ? button(_("Counts as shown: {roll}", { roll: extra.roll.join("-") }), () => tell("throw", { roll: extra.roll }), "main") : null,
      button(_("Other numbers…"), async () => {
        const given = await askThrow(_("What was thrown?"), { from: [...values, null, null].slice(0, 2) });
        if (given) await tell("throw", { roll: given.roll });
      }, extra.roll ? "" : "main"),
      button(_("Does not count, throw again"), () => tell("throw", { roll: null })),
      extra.pressed ? button(_("The press was a mistake"), () => tell("withdraw_press")) : null),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell @param {Look} look */
function askedPosition(state, tell, look) {
  const { candidates, extra } = state.question;
  const before = extra.before ?? state.position;
  return [
    h("h2", {}, _("Which position was left?")),
    h("p.hint", {}, _("The most likely is first. Changed points are marked.")),
    boards(candidates, before, look, (position) => tell("position", { position }), _("Position")),
    h("div.buttons", {}, button(_("None of these: set it by hand…"), async () => {
      const given = await askPosition(_("What stands on the board?"), candidates[0] ?? before, look);
      if (given) await tell("position", { position: given.position });
    })),
  ]; // prettier-ignore
}

/** @param {any} dispute @param {Look} look */
export function disputeBoard(dispute, look) {
  const arrows = arrowsBetween(dispute.before, dispute.played, dispute.side, { wrong: true, hasBar: look.hasBar });
  return board(dispute.played, { ...look, arrows, marks: differing(dispute.before, dispute.played), dice: dispute.roll ?? [], turn: dispute.side, label: said(dispute.explain) });
}

/** @param {any} state @param {Tell} tell @param {Look} look @param {boolean} mine */
function askedAccept(state, tell, look, mine) {
  const { dispute } = state;
  const overrule = able(state, "throw").some((one) => one === "both" || one === "referee");
  return [
    h("h2", {}, _("This play is not right")),
    mine
      ? h("div.buttons", {},
          button(_("Demand a right move"), () => tell("demand"), "main"),
          dispute.must_correct ? null : button(_("Accept it as it stands"), () => tell("accept")))
      : null,
    dispute.must_correct ? h("p.hint", {}, _("In these rules it must be put right.")) : null,
    dispute.nearest.length
      ? h("details", { "data-key": "nearest", open: matchMedia("(min-width: 900px)").matches }, h("summary", {}, _("Nearest right moves")), boards(dispute.nearest, dispute.before, look, null, _("Right move")))
      : null,
    overrule ? misread(state, look) : null,
  ]; // prettier-ignore
}

/** @param {any} state @param {Look} look */
function misread(state, look) {
  const by = able(state, "throw").find((one) => one === "referee") ?? "both";
  return h("details", { "data-key": "misread" }, h("summary", {}, _("It was seen wrongly…")),
    h("div.buttons", {},
      button(_("Other throw…"), async () => {
        const given = await askThrow(_("What was thrown?"), { reason: true });
        if (given) await say({ word: "throw", by, ...given });
      }),
      button(_("Other position…"), async () => {
        const given = await askPosition(_("What stands on the board?"), state.dispute.played, look, { reason: true });
        if (given) await say({ word: "position", by, ...given });
      }))); // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedPremature(state, tell) {
  const { side, values } = state.question.extra;
  return [
    h("h2", {}, _("Thrown too early")),
    h("div.asked-dice", {}, dice(values, 56)),
    h("p", {}, _("{side} threw before the other turn had ended.", { side: sideName(side) })),
    h("div.buttons", {},
      button(_("The throw stands"), () => tell("premature", { stands: true })),
      button(_("Throw again"), () => tell("premature", { stands: false }))),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedClaim(state, tell) {
  const { point, by } = state.question.extra;
  return [
    h("h2", {}, _("A touch is claimed")),
    h("p", {}, point === 25 ? _("Bar. Claimed by: {who}.", { who: actorName(by) }) : _("Point {point}. Claimed by: {who}.", { point, who: actorName(by) })),
    h("div.buttons", {},
      button(_("It was touched"), () => tell("claim", { upheld: true })),
      button(_("It was not touched"), () => tell("claim", { upheld: false }))),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedDouble(state, tell) {
  return [
    h("h2", {}, _("Double: the cube goes to {value}", { value: state.question.extra.value })),
    h("div.buttons", {},
      button(_("Take"), () => tell("take"), "main"),
      button(_("Drop"), () => tell("drop")),
      able(state, "beaver").length ? button(_("Beaver"), () => tell("beaver")) : null),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedResignation(state, tell) {
  const { side, win } = state.question.extra;
  return [
    h("h2", {}, _("{side} resigns: {win}", { side: sideName(side), win: winName(win) })),
    h("div.buttons", {},
      button(_("Accept the resignation"), () => tell("resignation", { accepted: true }), "main"),
      button(_("Play on"), () => tell("resignation", { accepted: false }))),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell */
function askedFlag(state, tell) {
  return [
    h("h2", {}, _("{side} is out of time", { side: sideName(state.question.extra.side) })),
    h("div.buttons", {},
      button(_("The game is lost"), () => tell("flag", { forfeit: "game" })),
      button(_("The match is lost"), () => tell("flag", { forfeit: "match" })),
      button(_("Play on"), () => tell("flag", { forfeit: "nothing" }))),
  ]; // prettier-ignore
}

/** @param {any} state */
function askedOpening(state) {
  const [white, black] = state.question.values;
  const open = /** @type {["w"|"b", number|null][]} */ ([["w", white], ["b", black]]);
  const mine = sides(state);
  return [
    h("h2", {}, _("Who begins? One die each")),
    h("div.opening", {}, open.map(([side, value]) => h("div.opening-side", {}, h("h3", {}, sideName(side)), dice([value], 56)))),
    h("details", { "data-key": "opening" }, h("summary", {}, _("Set a die by hand")),
      open.filter(([side, value]) => value === null && (mine.includes(side) || !mine.length)).map(([side]) =>
        dicePicker(([value]) => value && say({ word: "opening_die", by: answerer(state), side, value }), [null],
          [side === "w" ? _("White's die") : _("Black's die")]))),
  ]; // prettier-ignore
}

/** @param {any} state @param {Tell} tell @param {Look} look */
function askedBoard(state, tell, look) {
  const [position, seen] = state.question.candidates;
  return [
    h("h2", {}, _("The board is not as it was")),
    h("p", {}, _("Set it as drawn; the game then goes on by itself. Or say what stands there.")),
    h("div.buttons", {},
      button(_("It stands as drawn"), () => tell("position", { position }), "main"),
      seen && button(_("It was played on: take the moves over"), () => tell("position", { position: seen })),
      button(_("Something else stands there…"), async () => {
        const given = await askPosition(_("What stands on the board?"), position, look);
        if (given) await tell("position", { position: given.position });
      })),
  ]; // prettier-ignore
}

/**
 * The picture of the throw that is asked about.
 * @param {{seq: number, sha256: string}|null} shot
 * @param {boolean} open
 */
function shotOf(shot, open) {
  if (!shot) return null;
  const image = h("img.shot", { alt: _("The throw in close-up, with what was seen") });
  const place = h("details", { open, "data-key": "shot" }, h("summary", {}, _("Picture of the throw")), image);
  // Fetched when it is looked at: a phone may be on a slow link.
  const fetchIt = () => place.open && !image.src && (image.src = api(`pictures/${shot.sha256}/dice?seq=${shot.seq}`));
  place.addEventListener("toggle", fetchIt);
  image.addEventListener("error", () => place.remove());
  return place;
}

/** Questions in which the throw may be looked at; open at once where it is the question. */
const WITH_SHOT = new Map([["throw", true], ["premature", true], ["accept_or_demand", false], ["opening", false]]);

/**
 * @param {any} state
 * @param {Look} look
 * @param {{seq: number, sha256: string}|null} [shot] of the throw in hand
 * @returns {(HTMLElement|null)[]|null} null: nothing is asked
 */
export function questionPanel(state, look, shot = null) {
  const { question } = state;
  if (!question) return null;
  const by = answerer(state);
  /** @type {Tell} */
  const tell = (word, more = {}) => say({ word, by, ...more });
  const parts = {
    throw: () => askedThrow(state, tell),
    position: () => askedPosition(state, tell, look),
    accept_or_demand: () => askedAccept(state, tell, look, by !== null),
    premature: () => askedPremature(state, tell),
    claim: () => askedClaim(state, tell),
    double: () => askedDouble(state, tell),
    resignation: () => askedResignation(state, tell),
    flag: () => askedFlag(state, tell),
    opening: () => askedOpening(state),
    board: () => askedBoard(state, tell, look),
  }[/** @type {"throw"} */ (question.asked)]?.();
  if (!parts) return null;
  const open = WITH_SHOT.get(question.asked);
  if (open !== undefined) parts.splice(2, 0, shotOf(shot, open));
  const who = question.of.map(actorName).join(", ");
  if (by) return [...parts, h("p.asked-of", {}, _("Answers: {who}", { who: actorName(by) }))];
  const readOnly = parts.map((one) => {
    for (const it of one?.querySelectorAll?.("button, fieldset") ?? []) it.disabled = true;
    return one?.matches?.(".buttons") ? null : one;
  });
  return [...readOnly, h("p.asked-of", {}, _("Waiting for: {who}", { who }))];
}
