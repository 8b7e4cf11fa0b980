/** What is agreed before a match: rules, players, length, clock, the arbiter's part. */

import { $, h, show } from "./dom.js";
import { get, notify, page, post } from "./http.js";
import { _, said } from "./i18n.js";
import { live } from "./live.js";
import { arbiterName } from "./terms.js";

/** @param {string} name @param {string} label @param {{value: string, text: string}[]} options @param {string} [hint] */
const choice = (name, label, options, hint = "") =>
  h("label.field", {}, label,
    h("select", { name }, options.map((one) => h("option", { value: one.value }, one.text))),
    hint ? h("small", {}, hint) : null); // prettier-ignore

/** @param {string} name @param {string} label @param {Record<string, unknown>} [more] */
const text = (name, label, more = {}) =>
  h("label.field", {}, label, h("input", { name, type: "text", autocomplete: "off", maxlength: 80, ...more }));

const FLAG = () => ({ ask: _("people decide"), game: _("the game is lost"), match: _("the match is lost"), nothing: _("it is only recorded") });
const PREMATURE = () => ({ ask: _("people decide"), stands: _("the throw stands"), again: _("thrown again") });

/** @param {any} sheet @returns {HTMLElement} */
export function ruleSheet(sheet) {
  return h("div.sheet", {},
    h("p.hint", {}, `${_("Source")}: ${said(sheet.source)}${sheet.verified ? "" : ` (${_("not checked against the original")})`}`),
    h("dl", {}, sheet.laws.map((/** @type {any} */ law) => [
      h("dt", {}, said(law.title)),
      h("dd", {}, said(law.value), law.decided ? ` – ${said(law.decided)}` : "")])),
    h("h3", {}, _("In all rules")),
    h("ul", {}, sheet.shared[document.documentElement.lang === "ru" ? "ru" : "en"].map((/** @type {string} */ one) => h("li", {}, one)))); // prettier-ignore
}

/** The form; `submit` opens the match. */
export class MatchForm {
  /** @type {any} */
  #options = null;

  constructor() {
    this.element = h("form.match-form", { onsubmit: (/** @type {SubmitEvent} */ event) => void this.#submit(event) });
    this.rules = h("div");
    this.clock = h("div");
    this.error = h("p.error", { role: "alert" });
  }

  async load() {
    this.#options = await get("options");
    const { rules, clocks, roles, flag_laws: flags, premature_laws: early } = this.#options;
    const name = (/** @type {any} */ one) => `${said(one.title)}${one.long ? "" : ` · ${_("short")}`}`;
    show(this.rules,
      choice("rules", _("Rules"), rules.map((/** @type {any} */ one) => ({ value: one.name, text: name(one) }))),
      h("details.card", { ontoggle: (/** @type {Event} */ event) => void this.#sheet(/** @type {HTMLDetailsElement} */ (event.target)) },
        h("summary", {}, _("Rule sheet")), h("div", { id: "sheet" })),
      h("div.grid-2", {},
        text("white", _("White plays (first game)"), { list: "known-players", autocapitalize: "words" }),
        text("black", _("Black plays (first game)"), { list: "known-players", autocapitalize: "words" })),
      h("datalist", { id: "known-players" }),
      h("label.field", {}, _("Match to how many points?"),
        h("input", { name: "length", type: "number", min: 1, max: 99, inputmode: "numeric", placeholder: _("without end") }),
        h("small", {}, _("Leave empty to count games without end.")))); // prettier-ignore
    show(this.clock,
      choice("clock", _("Clock"), clocks.map((/** @type {any} */ one) => ({ value: one.name, text: `${said(one.title)}${one.control ? ` · ${one.control}` : ""}` })),
        _("Time by the point needs a match with a length.")),
      choice("role", _("The arbiter"), ["referee", "monitor", "silent"].filter((one) => roles.includes(one)).map((one) => ({ value: one, text: arbiterName(one) }))),
      h("details", {}, h("summary", {}, _("More: laws of time, names for the protocol")),
        h("div.grid-2", {},
          choice("flag_law", _("When time is up"), flags.map((/** @type {"ask"} */ one) => ({ value: one, text: FLAG()[one] }))),
          choice("premature_law", _("A throw made too early"), early.map((/** @type {"ask"} */ one) => ({ value: one, text: PREMATURE()[one] }))),
          text("event", _("Event")), text("place", _("Place")), text("round", _("Round")),
          text("season", _("Season")), text("number", _("Match number")), text("arbiter", _("Referee's name"))))); // prettier-ignore
    const select = $("select[name=rules]", this.rules);
    select.addEventListener("change", () => void this.#sheet($("details", this.rules)));
    $("input[name=length]", this.rules).value = "3";
    await this.#known();
    return this;
  }

  /** Names that have played here. */
  async #known() {
    try {
      const { matches } = await get("matches");
      const names = new Set(matches.flatMap((/** @type {any} */ one) => [one.white, one.black]).filter(Boolean));
      show($("#known-players", this.rules), [...names].slice(0, 50).map((one) => h("option", { value: one })));
    } catch {
      // The names are a help only.
    }
  }

  /** @param {HTMLDetailsElement} details */
  async #sheet(details) {
    if (!details.open) return;
    const { value } = $("select[name=rules]", this.rules);
    try {
      show($("#sheet", details), ruleSheet(await get(`rules/${encodeURIComponent(value)}`)));
    } catch (error) {
      show($("#sheet", details), h("p.error", {}, /** @type {Error} */ (error).message));
    }
  }

  /** One form with everything and its button. */
  whole() {
    show(this.element, this.rules, this.clock, this.error, this.button());
    return this.element;
  }

  button() {
    return h("div.buttons", {}, h("button.main", {}, _("Begin the match")));
  }

  /** What is filled in, as the API takes it. */
  agreement() {
    // Its own fields only: in the wizard the form holds others too.
    const fields = [this.rules, this.clock].flatMap((one) => [...one.querySelectorAll("input, select")]);
    /** @type {Record<string, unknown>} */
    const data = {};
    for (const { name, value } of fields) if (name && value.trim()) data[name] = value.trim();
    data.length = data.length ? Number(data.length) : null;
    if (data.clock === "none") data.clock = null;
    return data;
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    this.error.textContent = "";
    const data = this.agreement();
    const preset = this.#options.clocks.find((/** @type {any} */ one) => one.name === data.clock);
    if (preset?.by_point && !data.length) {
      this.error.textContent = _("This clock counts time by the point: say how many points are played.");
      return;
    }
    try {
      await post("matches", data);
      location.assign(page(""));
    } catch (error) {
      this.error.textContent = /** @type {Error} */ (error).message;
      notify(/** @type {Error} */ (error).message, "bad");
    }
  }
}

/** Whether a match is under way, so that no other can begin. */
export const underWay = () => !!live.state?.match && live.state.phase !== "match_over";
