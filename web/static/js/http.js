/** The JSON API: addresses relative to where the pages are served, errors in words. */

import { _, said } from "./i18n.js";

const root = document.documentElement;
/** Where the pages are served, ending with a slash. */
export const base = root.dataset.base ?? "/";
export const role = root.dataset.role ?? "";

/**
 * Address of the API.
 * @param {string} path
 */
export const api = (path) => `${base}api/v1/${path.replace(/^\//, "")}`;
/** @param {string} path of a page */
export const page = (path) => base + path.replace(/^\//, "");

/** What was asked could not be done; the message is for people. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {any} [body]
   */
  constructor(message, status, body = null) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(api(path), { credentials: "same-origin", ...options });
  } catch {
    throw new ApiError(_("No connection to the table."), 0);
  }
  const text = await answer.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (answer.ok) return body;
  const told = (body?.told ?? []).map(said).filter(Boolean).join(" ");
  const words = said(body?.error) || told || _("Error {status}.", { status: answer.status });
  throw new ApiError(told || words, answer.status, body);
}

/** @param {string} path */
export const get = (path) => ask(path, { headers: { Accept: "application/json" } });

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": root.dataset.csrf ?? "" },
    body: JSON.stringify(body),
  });

/**
 * Say something at the table; what is refused is shown to the asker.
 * @param {Record<string, unknown>} word
 * @returns {Promise<boolean>} whether it was done
 */
export async function say(word) {
  try {
    await post("words", word);
    return true;
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), "bad");
    return false;
  }
}

/**
 * Show a short message in the corner; screen readers hear it.
 * @param {string} text
 * @param {"good"|"bad"} [kind]
 */
export function notify(text, kind = "good") {
  const place = document.getElementById("notices");
  if (!place || !text) return;
  const note = document.createElement("div");
  note.className = `notice ${kind}`;
  note.textContent = text;
  place.append(note);
  while (place.childElementCount > 3) place.firstElementChild?.remove();
  setTimeout(() => note.remove(), 7000);
}
