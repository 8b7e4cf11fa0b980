/** The table: board, lamp, verdict, clocks, question and buttons, kept up to date together. */

import { moreActions, primaryActions } from "./actions.js";
import { board } from "./board.js";
import { arrowsOf } from "./board_arrows.js";
import { clockPanel, markStale, press, pressBar, pressOf } from "./clocks.js";
import { dice } from "./dice.js";
import { $, h, show, whenChanged } from "./dom.js";
import { get, page } from "./http.js";
import { _, ngettext, said } from "./i18n.js";
import { keep, kept } from "./keep.js";
import { live } from "./live.js";
import { sideName } from "./numbers.js";
import { disputeBoard, questionPanel } from "./question.js";
import { loadTitles, ruleTitle } from "./titles.js";
import { News, announce } from "./speech.js";
import { howName, lampWords, linkWords, phaseName, sightWords, winName } from "./terms.js";
import { viewOf } from "./voice.js";

/** How this viewer looks at the board. @param {any} state @returns {import("./board.js").Look} */
export function lookOf(state) {
  return {
    layout: state.layout,
    turned: kept("turned"),
    numbers: kept("numbers"),
    view: viewOf(state),
    hasBar: !!state.match?.has_bar,
  };
}

/** Where the match stands, in one line. @param {any} state */
export function standing(state) {
  const { match } = state;
  if (!match) return _("No match yet");
  const length = match.length
    ? ngettext("match to {n} point", "match to {n} points", match.length)
    : _("without end");
  const parts = [_("Game {n}", { n: match.game }), length, ruleTitle(match.rules)];
  if (match.crawford) parts.push(_("Crawford game"));
  return parts.join(" · ");
}

/** @param {any} state */
function resultWords(state) {
  const last = state.match?.results.at(-1);
  if (!last) return "";
  if (!last.winner) return _("Game {game}: a draw.", { game: last.game });
  return _("Game {game}: {side}, {win}, {points} ({how}).", {
    game: last.game,
    side: sideName(last.winner),
    win: last.win ? winName(last.win) : "–",
    points: ngettext("{n} point", "{n} points", last.points),
    how: howName(last.how),
  });
}

/** Fills the places of a table page; places that are not there are left out. */
export class TableView {
  /** The last play, to be drawn as arrows. @type {any} */
  #play = null;
  /** The throw in hand as the camera saw it. @type {{seq: number, sha256: string}|null} */
  #shot = null;
  #due = false;
  #news = new News();

  /**
   * @param {HTMLElement} root
   * @param {{controls?: boolean}} [with_]
   */
  constructor(root, with_ = {}) {
    this.root = root;
    this.controls = !!with_.controls;
    this.panels = { w: clockPanel("w"), b: clockPanel("b") };
    show($("#clock-w", root), this.panels.w.element);
    show($("#clock-b", root), this.panels.b.element);
    this.press = this.controls && $("#press", root) && document.documentElement.dataset.page !== "referee" ? pressBar($("#press", root)) : null;
    this.drawBoard = whenChanged((/** @type {any} */ state) => this.#board(state));
    this.drawQuestion = whenChanged((/** @type {any} */ state) => this.#question(state));
    this.drawActions = whenChanged((/** @type {any} */ state) => this.#actions(state));
    this.drawTold = whenChanged((/** @type {any} */ state) => this.#told(state));
    this.drawLamp = whenChanged((/** @type {any} */ state) => this.#lamp(state));
    this.drawLegal = whenChanged((/** @type {any} */ state) => void this.#showLegal(state));
    live.addEventListener("state", () => this.update());
    live.addEventListener("entry", (event) => this.#row(/** @type {CustomEvent} */ (event).detail));
    live.addEventListener("link", () => this.#link());
    document.addEventListener("choice", () => this.update());
    setInterval(() => this.#tick(), 100);
    void loadTitles().then(() => this.update());
    if (this.controls) this.#keys();
    live.staysAwake = () => kept("speech");
  }

  update() {
    const { state } = live;
    if (!state) return;
    const choice = [kept("numbers"), kept("turned"), kept("moves")];
    const view = viewOf(state);
    this.panels.w.update(state);
    this.panels.b.update(state);
    this.press?.(state);
    this.drawBoard(state, [state.position, state.roll, state.turn, state.phase, state.layout, state.cube, state.opening, state.dispute, this.#play?.seq, view, choice]);
    this.drawQuestion(state, [this.#shot, state.question, state.dispute, state.layout, Object.keys(state.may ?? {}), choice]);
    this.drawActions(state, [state.may, state.phase, state.clock.phase, state.called, state.question?.asked, state.position]);
    this.drawTold(state, state.told);
    this.drawLamp(state, [state.lamp, state.phase, state.turn, state.roll, state.match, state.called, state.stopped, state.storage, ruleTitle(state.match?.rules)]);
    this.drawLegal(state, [state.phase, state.roll, state.position, kept("moves"), state.match?.role]);
    this.#sight(state);
    this.#link();
    this.#tick();
  }

  /** @param {any} row */
  #row(row) {
    const [picture] = row.evidence ?? [];
    if (row.kind === "throw_seen" || row.kind === "opening_die_seen") {
      this.#shot = picture ? { seq: row.seq, sha256: picture.sha256 } : null;
    }
    if (row.kind === "play_ruled") this.#play = { seq: row.seq, ...row.data };
    // Rows come in bursts; what they change is drawn once.
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => {
      this.#due = false;
      this.update();
    }, 30);
  }

  #tick() {
    const { state } = live;
    if (!state) return;
    this.panels.w.tick(state);
    this.panels.b.tick(state);
  }

  /** @param {any} state */
  #board(state) {
    const look = lookOf(state);
    if (state.dispute) return show($("#board", this.root), disputeBoard(state.dispute, look));
    const last = this.#play;
    // Arrows belong to the play that led to what is drawn, and to nothing older.
    const over = state.phase === "game_over" || state.phase === "match_over";
    // Of a game that is over the state tells where the last turn began; the play tells the rest.
    const position = over && last ? last.played : state.position;
    const fits = last && position && JSON.stringify(last.played.points) === JSON.stringify(position.points);
    const arrows = fits && last.verdict === "legal" ? arrowsOf(last.moves, last.side) : [];
    const opening = state.opening ? [state.opening.w, state.opening.b] : null;
    const shown = state.roll ?? opening ?? [];
    return show($("#board", this.root), board(position, { ...look, arrows, dice: shown, turn: state.turn, cube: state.cube }));
  }

  /** @param {any} state */
  #question(state) {
    const place = $("#question", this.root);
    if (!place) return;
    const parts = questionPanel(state, lookOf(state), state.session?.may_see_pictures ? this.#shot : null);
    place.hidden = !parts;
    show(place, parts ?? []);
  }

  /** @param {any} state */
  #actions(state) {
    if (!this.controls) return;
    const look = lookOf(state);
    show($("#actions", this.root), primaryActions(state, look));
    const more = moreActions(state, look);
    const place = $("#more", this.root);
    if (place) {
      show($("#more-actions", place), more);
      place.hidden = !more.length;
    }
  }

  /** @param {any} state */
  #told(state) {
    const told = state.told.filter((/** @type {any} */ one) => !one.refused);
    // What was said in one breath is one verdict: the law, and what follows from it.
    const last = told.at(-1);
    const breath = told.filter((/** @type {any} */ one) => one.seq === last.seq && one.at_ms === last.at_ms);
    const verdict = $("#verdict", this.root);
    const text = last ? breath.map(said).join(" ") : _("The referee waits.");
    if (verdict && verdict.textContent !== text) verdict.textContent = text;
    verdict?.classList.toggle("long", text.length > 60);
    const older = told.slice(0, told.length - breath.length).reverse().slice(0, 8);
    show($("#told", this.root), older.map((/** @type {any} */ one) => h("li", {}, said(one))));
    announce(this.#news.of(state.told));
  }

  /** @param {any} state */
  #lamp(state) {
    const [sign, words] = lampWords(state.lamp);
    const place = $("#lamp", this.root);
    if (place) {
      place.className = `lamp ${state.lamp}`;
      show(place, h("span.lamp-sign", { "aria-hidden": "true" }, sign), h("span.lamp-word", {}, words));
    }
    const rolled = $("#dice", this.root);
    if (rolled) show(rolled, state.roll ? dice(state.roll, 80) : null);
    const turn = $("#turn", this.root);
    if (turn) {
      const roll = state.roll ? ` · ${state.roll.join("-")}` : "";
      turn.textContent = `${state.turn ? `${sideName(state.turn)}: ` : ""}${phaseName(state.phase).toLowerCase()}${roll}`;
      if (!state.turn) turn.textContent = phaseName(state.phase) + roll;
    }
    show($("#standing", this.root), standing(state));
    show($("#result", this.root), resultWords(state));
    const alarm = $("#alarm", this.root);
    if (alarm) {
      const words = [said(state.stopped), said(state.storage), state.called ? _("The referee is called.") : ""].filter(Boolean);
      alarm.hidden = !words.length;
      show(alarm, words.join(" "));
    }
    const empty = $("#no-match", this.root);
    if (empty) empty.hidden = !!state.match;
    document.body.classList.toggle("no-match", !state.match);
  }

  /** @param {any} state */
  #sight(state) {
    const place = $("#sight", this.root);
    if (!place) return;
    const [kind, words] = sightWords(state.sight.state);
    const text = [words, said(state.sight.trouble)].filter(Boolean).join(": ");
    if (place.textContent === text) return;
    place.className = `badge ${kind}`;
    place.textContent = text;
  }

  #link() {
    const badge = document.getElementById("link");
    if (badge) {
      badge.className = `badge ${live.link === "live" || live.link === "polling" ? "good" : "bad"}`;
      if (badge.textContent !== linkWords(live.link)) badge.textContent = linkWords(live.link);
    }
    markStale(document.body, live.link === "stale");
  }

  /** @param {any} state */
  async #showLegal(state) {
    const place = $("#legal", this.root);
    if (!place) return;
    // The referee of a tournament says what is wrong, never what could be played.
    const on = kept("moves") && state.phase === "playing" && state.match?.role !== "referee";
    place.hidden = !on;
    if (!on) return;
    try {
      const { legal } = await get("legal");
      if (!legal?.plays) return;
      const look = lookOf(state);
      show(place,
        h("h2", {}, ngettext("{n} right move", "{n} right moves", legal.count)),
        h("ol.boards", {}, legal.plays.slice(0, 12).map((/** @type {any} */ play) =>
          h("li", {}, h("div.choice", {}, board(play.position, { ...look, plain: true, arrows: arrowsOf(play.moves, legal.side) })))))); // prettier-ignore
    } catch {
      place.hidden = true;
    }
  }

  #keys() {
    addEventListener("keydown", (event) => {
      const on = /** @type {Element} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || on.closest?.("input, select, textarea, button, a, dialog, summary, [role=button]")) return;
      const { state } = live;
      if (!state) return;
      if (event.key === " ") {
        const side = /** @type {("w"|"b")[]} */ (["w", "b"]).find((one) => pressOf(state, one));
        if (side) {
          event.preventDefault();
          void press(side);
        }
      } else if (event.code === "KeyM") keep("moves", !kept("moves"));
      else if (event.code === "KeyT") keep("turned", !kept("turned"));
      else if (event.code === "KeyP") location.assign(page("picture"));
    });
  }
}
