/** The live picture: a stream, or single pictures where streams are all taken. */

import { h } from "./dom.js";
import { api } from "./http.js";
import { _ } from "./i18n.js";
import { live } from "./live.js";

const POLL_MS = 700;
const AGAIN_MS = 20_000;
const OLD_MS = 2500;

/** Shows the camera's picture and says when it stands still. */
export class LivePicture {
  #mode = "off";
  #timer = 0;
  #blob = "";
  /** Of the last single picture; null: the stream does not tell. @type {number|null} */
  age = null;

  /** @param {{drawn?: boolean}} [look] */
  constructor(look = {}) {
    this.drawn = look.drawn ?? true;
    this.image = h("img", { alt: _("Live picture of the board"), draggable: "false" });
    this.badge = h("span.badge.bad.frozen", { role: "status", hidden: true });
    this.frame = h("div.live-frame", {}, this.image, this.badge);
    this.image.addEventListener("error", () => this.#mode === "stream" && this.#single());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.stop() : this.start()));
    addEventListener("pagehide", () => this.stop());
    live.addEventListener("state", () => this.judge());
    live.addEventListener("link", () => this.judge());
  }

  start() {
    this.stop();
    this.#mode = "stream";
    this.age = null;
    // A still first: a stream shows its first picture only when the second has come.
    const query = `?drawn=${this.drawn ? 1 : 0}&t=${Date.now()}`;
    const stream = () => this.#mode === "stream" && (this.image.src = api(`live.mjpg${query}`));
    this.image.addEventListener("load", stream, { once: true });
    this.image.src = api(`live.jpg${query}`);
  }

  stop() {
    this.#mode = "off";
    clearTimeout(this.#timer);
    this.image.removeAttribute("src"); // gives the connection back
  }

  /** @param {boolean} drawn */
  setDrawn(drawn) {
    this.drawn = drawn;
    this.start();
  }

  #single() {
    this.#mode = "single";
    const until = performance.now() + AGAIN_MS;
    const next = async () => {
      if (this.#mode !== "single") return;
      if (performance.now() > until) return this.start();
      try {
        const answer = await fetch(api(`live.jpg?drawn=${this.drawn ? 1 : 0}&t=${Date.now()}`));
        if (answer.ok) {
          this.age = Number(answer.headers.get("X-Age-Ms") ?? 0);
          const old = this.#blob;
          this.#blob = URL.createObjectURL(await answer.blob());
          this.image.src = this.#blob;
          if (old) URL.revokeObjectURL(old);
        } else this.age = null;
      } catch {
        // The badge tells it.
      }
      this.judge();
      this.#timer = setTimeout(next, POLL_MS);
    };
    void next();
  }

  /** Say whether what is shown is what the camera sees now. */
  judge() {
    const state = live.state?.sight?.state;
    const noLink = live.link === "stale" || live.link === "connecting";
    const frozen = noLink || ["stale", "lost", "off", "starting"].includes(state) || (this.age ?? 0) > OLD_MS;
    this.frame.classList.toggle("frozen", frozen);
    this.badge.hidden = !frozen;
    const text = noLink
      ? _("no connection: this picture is old")
      : state === "off" ? _("no camera") : state === "starting" ? _("camera starts")
      : _("frozen: this is not live");
    if (this.badge.textContent !== text) this.badge.textContent = text;
  }
}
