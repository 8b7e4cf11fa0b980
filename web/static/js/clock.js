/** The clock as a view counts it on (docs/reference/clock.md): never more than there is. */

/**
 * @typedef {{left_ms: number, overtime_left_ms: number, used_ms: number}} SideTime
 * @typedef {{at_ms: number, kind: string, phase: string, to_move: "w"|"b"|null,
 *   starts_by: "w"|"b"|null, w: SideTime, b: SideTime, delay_left_ms: number, turn_ms: number,
 *   flag: "w"|"b"|null, pause: {reason: string, by: string}|null}} Reading
 */

/** How long the bounds of old exchanges are used; the two clocks drift apart slowly. */
const KEPT = 8;
const LAG_MS = 500;

/** The server's time, never underestimated: the smallest bound of several exchanges. */
export class ServerTime {
  /** @type {{own: number, server: number}[]} */
  #exchanges = [];
  rate = 1;
  /** How long the last exchange took. */
  tripMs = 0;

  /**
   * @param {number} sent own time when the question was sent
   * @param {number} back own time when the answer came
   * @param {number} server what it said
   */
  exchanged(sent, back, server) {
    this.tripMs = back - sent;
    this.#exchanges.push({ own: sent, server });
    if (this.#exchanges.length > KEPT) this.#exchanges.shift();
  }

  /** Forget all: the server has been started again and counts anew. */
  reset() {
    this.#exchanges = [];
  }

  /** @param {number} rate of the table's time beside real time */
  setRate(rate) {
    if (rate === this.rate) return;
    this.rate = rate;
    this.reset();
  }

  get lags() {
    return this.tripMs > LAG_MS;
  }

  /**
   * Return the latest time it may be on the server; null: nothing is known.
   * @param {number} own
   */
  latest(own) {
    if (!this.#exchanges.length) return null;
    return Math.min(...this.#exchanges.map((one) => one.server + (own - one.own) * this.rate));
  }
}

/**
 * Count a reading on.
 * @param {Reading} reading
 * @param {number} elapsed since its `at_ms`
 * @returns {Reading}
 */
export function later(reading, elapsed) {
  const side = reading.phase === "running" ? reading.to_move : null;
  if (!side || elapsed <= 0) return reading;
  const before = reading[side];
  const ofDelay = Math.min(elapsed, reading.delay_left_ms);
  const charged = reading.kind === "none" ? 0 : elapsed - ofDelay;
  const ofReserve = Math.min(charged, before.left_ms);
  const ofOvertime = Math.min(charged - ofReserve, before.overtime_left_ms);
  const ran = reading.kind === "none" ? elapsed : ofDelay + ofReserve + ofOvertime;
  return {
    ...reading,
    at_ms: reading.at_ms + elapsed,
    delay_left_ms: reading.delay_left_ms - ofDelay,
    turn_ms: reading.turn_ms + ran,
    [side]: {
      left_ms: before.left_ms - ofReserve,
      overtime_left_ms: before.overtime_left_ms - ofOvertime,
      used_ms: before.used_ms + ran,
    },
  };
}

/**
 * Write a time; cut, never rounded up.
 * @param {number} ms
 * @param {boolean} [tenths] below ten seconds
 */
export function timeText(ms, tenths = true) {
  const left = Math.max(0, Math.floor(ms));
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  const text = `${minutes}:${two(seconds % 60)}`;
  return tenths && left < 10_000 ? `${text}.${Math.floor((left % 1000) / 100)}` : text;
}
