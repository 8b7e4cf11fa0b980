/**
 * The table's state as it comes: server-sent events, polling where those are refused. State
 * first; what has not come for five seconds is called stale; nothing is told twice.
 */

import { ServerTime } from "./clock.js";
import { ApiError, api, get, page, role } from "./http.js";

const STALE_MS = 5000;
const GIVE_UP_MS = 10_000;
const POLL_MS = 1000;
const EXCHANGE_MS = 10_000;
const HIDDEN_MS = 30_000;
/** So many rows before the newest are asked for at first: the last play is among them. */
const LOOK_BACK = 40;

/** @typedef {"connecting"|"live"|"polling"|"stale"} Link */

/** Fires `state` (detail: the state), `entry` (a row), `link` (how the connection is). */
export class Live extends EventTarget {
  time = new ServerTime();
  /** @type {any} */
  state = null;
  /** @type {Link} */
  link = "connecting";
  #heard = 0;
  #seq = -1;
  /** @type {EventSource|null} */
  #source = null;
  #fresh = true;
  #tries = 0;
  #polling = false;
  #hiddenAt = 0;
  /** Whether the page goes on listening while nobody looks at it. @type {() => boolean} */
  staysAwake = () => false;

  /** Begin; never ends by itself. */
  start() {
    this.#heard = performance.now();
    void this.#begin();
    setInterval(() => this.#watch(), 500);
    setInterval(() => void this.exchange(), EXCHANGE_MS);
    document.addEventListener("visibilitychange", () => {
      this.#hiddenAt = document.hidden ? performance.now() : 0;
      if (!document.hidden && !this.#source && !this.#polling) void this.#begin();
    });
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && void this.#begin());
    addEventListener("online", () => !this.#source && void this.#begin());
    return this;
  }

  /** Ask for the server's time. */
  async exchange() {
    const sent = performance.now();
    try {
      const { now_ms: server } = await get("time");
      this.time.exchanged(sent, performance.now(), server);
    } catch {
      // The watch sees that nothing comes.
    }
  }

  async #begin() {
    if (this.#source || this.#polling) return;
    this.#polling = true; // nobody else begins meanwhile
    try {
      this.#take(await get("state"));
      this.time.reset();
      await this.exchange();
      this.#polling = false;
      this.#open();
    } catch (error) {
      this.#polling = false;
      this.#failed(error);
    }
  }

  #open() {
    if (this.#source) return;
    const after = this.#seq < 0 ? Math.max(0, (this.state?.seq ?? 0) - LOOK_BACK) : this.#seq;
    this.#seq = after;
    this.#fresh = true;
    const source = new EventSource(api(`stream?after=${after}`));
    this.#source = source;
    let began = false;
    source.addEventListener("state", (event) => {
      began = true;
      this.#take(JSON.parse(event.data));
      this.#setLink("live");
      this.#tries = 0;
    });
    source.addEventListener("entry", (event) => this.#row(JSON.parse(event.data)));
    source.addEventListener("beat", (event) => this.#beat(JSON.parse(event.data)));
    source.onerror = () => {
      this.#close();
      // Refused at once while the API answers: there are too many streams.
      if (began) this.#retry();
      else void this.#poll();
    };
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }

  #retry() {
    this.#tries += 1;
    const wait = Math.min(4000, 300 * 2 ** Math.min(this.#tries, 5)) * (0.75 + Math.random() / 2);
    setTimeout(() => void this.#begin(), wait);
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof ApiError && error.status === 401) {
      location.assign(page(`login?next=${encodeURIComponent(location.pathname)}`));
      return;
    }
    this.#retry();
  }

  /** Look once a second until a stream can be had. */
  async #poll() {
    if (this.#polling || this.#source) return;
    this.#polling = true;
    for (let round = 1; round <= 10; round += 1) {
      try {
        this.#take(await get("state"));
        for (const row of (await get(`entries?after=${Math.max(0, this.#seq)}`)).entries ?? []) {
          this.#row(row);
        }
        this.#setLink("polling");
        if (round === 1) void this.exchange();
      } catch (error) {
        this.#polling = false;
        this.#failed(error);
        return;
      }
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    this.#polling = false;
    void this.#begin();
  }

  /** @param {any} state */
  #take(state) {
    this.#heard = performance.now();
    // A restarted table counts its time anew; a record begun anew counts its rows anew.
    if (this.state && state.now_ms < this.state.now_ms - 1000) this.time.reset();
    if (this.#fresh && state.seq < this.#seq) this.#seq = state.seq;
    this.#fresh = false;
    this.time.setRate(state.rate ?? 1);
    // Later than the latest it can be: the table's time has jumped, as at a restart.
    if ((this.time.latest(performance.now()) ?? Infinity) < state.now_ms - 50) {
      this.time.reset();
      void this.exchange();
    }
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }

  /** @param {any} row */
  #row(row) {
    this.#heard = performance.now();
    if (row.seq <= this.#seq) return;
    this.#seq = row.seq;
    this.dispatchEvent(new CustomEvent("entry", { detail: row }));
  }

  /** @param {{now_ms: number, rate?: number}} beat */
  #beat(beat) {
    this.#heard = performance.now();
    if (beat.rate !== undefined) this.time.setRate(beat.rate);
    if (this.link === "stale") this.#setLink("live");
  }

  #watch() {
    const now = performance.now();
    const silent = now - this.#heard;
    if (this.#hiddenAt && now - this.#hiddenAt > HIDDEN_MS && !this.staysAwake()) {
      this.#close(); // a browser has six connections; a page nobody sees gives its own back
      return;
    }
    if (silent > STALE_MS) this.#setLink("stale");
    if (silent > GIVE_UP_MS && this.#source) {
      this.#heard = now - STALE_MS;
      this.#close();
      void this.#begin();
    }
  }

  /** @param {Link} link */
  #setLink(link) {
    if (link === this.link) return;
    this.link = link;
    this.dispatchEvent(new CustomEvent("link", { detail: link }));
  }
}

/** One connection a page. */
export const live = new Live();
export { role };
