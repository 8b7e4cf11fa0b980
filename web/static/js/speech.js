/** Sound and speech: only what the table has said for certain, only while it is news. */

import { keep, kept } from "./keep.js";
import { language, said } from "./i18n.js";

/** A sentence older than this is not spoken any more. */
const NEWS_MS = 6000;
const TONES = { good: [660, 0.09], ask: [520, 0.18], bad: [220, 0.28] };

/** Sentences that are no ruling but a question or a stop. */
const ASKING = new Set(["throw_unsure", "throw_unseen", "play_unsure", "accept_or_demand", "premature", "double", "resign", "claim", "lost", "flag"]);
const BAD = new Set(["throw_void", "out_of_turn", "must_correct", "taken_back", "both_pressed", "lost", "flag"]);

/** @type {AudioContext|null} */
let audio = null;
/** A browser makes sound only after a touch. */
addEventListener("pointerdown", () => {
  audio ??= "AudioContext" in window ? new AudioContext() : null;
  void audio?.resume();
});

/** @param {keyof typeof TONES} kind */
function tone(kind) {
  if (!kept("sound") || audio?.state !== "running") return;
  const [pitch, length] = TONES[kind];
  const gain = audio.createGain();
  const voice = audio.createOscillator();
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0.15, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  voice.connect(gain).connect(audio.destination);
  voice.start();
  voice.stop(audio.currentTime + length);
}

/** @type {{text: string, at: number}[]} */
let waiting = [];
let speaking = false;

function speakNext() {
  const now = performance.now();
  waiting = waiting.filter((one) => now - one.at < NEWS_MS);
  const next = waiting.shift();
  speaking = !!next;
  if (!next) return;
  const words = new SpeechSynthesisUtterance(next.text);
  words.lang = language === "ru" ? "ru-RU" : "en-GB";
  words.onend = words.onerror = speakNext;
  speechSynthesis.speak(words);
}

/** Stop speaking at once. */
export function hush() {
  waiting = [];
  if ("speechSynthesis" in window) speechSynthesis.cancel();
  speaking = false;
}

/**
 * Say what is new.
 * @param {any[]} told new sentences, oldest first
 */
export function announce(told) {
  const news = told.filter((one) => !one.refused);
  const last = news.at(-1);
  if (!last) return;
  tone(BAD.has(last.code) ? "bad" : ASKING.has(last.code) ? "ask" : "good");
  if (!kept("speech") || !("speechSynthesis" in window)) return;
  for (const one of news) waiting.push({ text: said(one), at: performance.now() });
  if (!speaking) speakNext();
}

/** Which sentences of a state have not been there before. */
export class News {
  /** @type {Set<string>|null} */
  #known = null;

  /**
   * @param {any[]} told
   * @returns {any[]} nothing at first: what had been said before is no news
   */
  of(told) {
    const keys = told.map((one) => `${one.seq}/${one.at_ms}/${one.code}/${one.en}`);
    const fresh = this.#known ? told.filter((_one, index) => !this.#known?.has(keys[index])) : [];
    this.#known = new Set(keys);
    return fresh;
  }
}

/** @param {HTMLInputElement|null} box @param {"sound"|"speech"} name */
export function bindChoice(box, name) {
  if (!box) return;
  box.checked = kept(name);
  box.addEventListener("change", () => {
    keep(name, box.checked);
    if (!box.checked) hush();
  });
}
