/** One step of a recorded match: board, sentence, clocks, and the picture behind it. */

import { board } from "./board.js";
import { arrowsBetween } from "./board_arrows.js";
import { timeText } from "./clock.js";
import { h } from "./dom.js";
import { api } from "./http.js";
import { _, dated, said } from "./i18n.js";
import { kept } from "./keep.js";
import { sideName } from "./numbers.js";
import { phaseName } from "./terms.js";

/**
 * @param {any} step
 * @param {any} before the step before it
 * @param {any} layout
 */
export function stepBoard(step, before, layout) {
  const { position } = step;
  const hasBar = !!position?.bar;
  const mover = before?.turn ?? step.turn;
  const changed = position && before?.position && JSON.stringify(before.position) !== JSON.stringify(position);
  const arrows = changed && mover ? arrowsBetween(before.position, position, mover, { hasBar }) : [];
  const many = arrows.length > 4; // a position that was set, not played
  return board(position, {
    layout, turned: kept("turned"), numbers: kept("numbers"), view: step.turn ?? "w", hasBar,
    arrows: many ? [] : arrows, dice: step.roll ?? [], turn: step.turn,
  }); // prettier-ignore
}

/** @param {any} step */
export function stepWords(step) {
  const clock = step.clock.w.left_ms || step.clock.b.left_ms
    ? /** @type {const} */ (["w", "b"]).map((side) => `${sideName(side)} ${timeText(step.clock[side].left_ms)}`).join(" · ")
    : "";
  const told = (step.told ?? []).map(said).filter(Boolean);
  return [
    h("p.step-told", {}, told.length ? told.join(" ") : said(step.label)),
    h("p.meta", {}, [step.turn ? `${sideName(step.turn)}: ${phaseName(step.phase).toLowerCase()}` : phaseName(step.phase), clock, `${dated(step.wall)}${step.synced === false ? ` (${_("clock of the device not set")})` : ""}`].filter(Boolean).join(" · ")),
  ]; // prettier-ignore
}

/** @param {any} step */
function picturesOf(step) {
  const parts = [];
  const pictures = step.evidence;
  if (pictures.length && step.dice.length) {
    const boxes = step.dice.some((/** @type {any} */ one) => one.box_px);
    parts.push(
      h("figure", {},
        h("img", { src: api(`pictures/${pictures[0]}/dice?seq=${step.seq}`), alt: _("The throw in close-up: {dice}", { dice: step.dice.map((/** @type {any} */ one) => one.value ?? "?").join("-") }) }),
        h("figcaption", {}, boxes ? _("The throw in close-up, with what was seen") : _("The whole picture: where the dice lay was not recorded"))),
    ); // prettier-ignore
  }
  for (const sha of pictures) {
    parts.push(h("figure", {},
      h("a", { href: api(`pictures/${sha}`), target: "_blank", rel: "noopener" }, h("img", { src: api(`pictures/${sha}`), loading: "lazy", alt: _("Picture the event rests on") })),
      h("figcaption", {}, _("Picture the event rests on")))); // prettier-ignore
  }
  return parts;
}

/**
 * The pictures behind a step.
 * @param {any[]} sources it and the silent steps before it, oldest first
 */
export function stepPictures(sources) {
  const parts = [...sources].reverse().flatMap(picturesOf);
  if (!parts.length) parts.push(h("p.hint", {}, _("No picture belongs to this step.")));
  for (const image of parts.flatMap((one) => [...one.querySelectorAll("img")])) {
    image.addEventListener("error", () => image.replaceWith(h("p.hint", {}, _("The picture is not kept any more."))));
  }
  return parts;
}
