/** Building elements without a framework. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {any} Child a node, text, nothing, or a list of such */

/**
 * @param {Element} node
 * @param {Record<string, unknown>} attributes `on…` are listeners, `true` is an empty attribute
 * @param {(Child|Child[])[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "value" || name === "checked" || name === "selected") {
      /** @type {any} */ (node)[name] = value;
    } else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/**
 * Make an HTML element: `h("p.note", {id: "x"}, "text")`.
 * @param {string} tag with classes after dots
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, attributes, children);
}

/**
 * Make an SVG element.
 * @param {string} tag with classes after dots
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {any}
 */
export function s(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return fill(node, attributes, children);
}

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * Put new content in; the focus stays where it was if the same control is still there, and what
 * was folded open stays open.
 * @param {Element|null} place
 * @param {...(Child|Child[])} children
 */
export function show(place, ...children) {
  if (!place) return;
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.getAttribute("data-key");
  const folds = [...place.querySelectorAll("details[data-key]")];
  const open = new Map(folds.map((one) => [one.getAttribute("data-key"), one.hasAttribute("open")]));
  place.replaceChildren();
  fill(place, {}, children);
  for (const one of place.querySelectorAll("details[data-key]")) {
    one.toggleAttribute("open", open.get(one.getAttribute("data-key")) ?? one.hasAttribute("open"));
  }
  if (key) {
    /** @type {HTMLElement|null} */
    const again = place.querySelector(`[data-key="${CSS.escape(key)}"]`);
    again?.focus({ preventScroll: true });
  }
}

/**
 * Call a drawing function only when what it draws has changed.
 * @template T
 * @param {(value: T) => void} draw
 * @returns {(value: T, key?: unknown) => void}
 */
export function whenChanged(draw) {
  let last = "";
  return (value, key = value) => {
    const now = JSON.stringify(key) ?? "";
    if (now === last) return;
    last = now;
    draw(value);
  };
}
