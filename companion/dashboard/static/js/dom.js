// Small helpers to make elements; nothing here parses HTML, so a player's name is never more than text.

import { isolated } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: attributes, `on…` listeners, children (nodes or text).
 * @param {string} tag @param {Record<string, any>} [attributes] @param {any[]} children @returns {any} */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {any[]} children @returns {any} */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of an id; what kind of element it is, the page's template says.
 * @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Replaces an element's content only where it differs, so that focus and screen readers are left in peace. */
export function replaceIfChanged(element, key, make) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(...make());
}

/** Draws a place anew; what was unfolded stays so, and whoever goes by keys stays where they were. */
export function redraw(place, ...parts) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const folded = () => [...place.querySelectorAll("details:not([data-fold])")]; // those with a name of their own keep themselves
  const open = folded().map((one) => one.open);
  place.replaceChildren(...parts);
  const folds = folded();
  if (folds.length === open.length) folds.forEach((one, n) => { one.open = open[n]; });
  if (!focused) return;
  const again = [...place.querySelectorAll(focused.tagName)].find((one) => nameOf(one) === nameOf(focused));
  if (!again) place.tabIndex = -1; // what was there is done: the next key goes on from here
  (again ?? place).focus({ preventScroll: true });
}

/** What tells an element from its neighbours: what it stands for, not how it stands now. */
function nameOf(element) {
  if (element instanceof HTMLInputElement) return JSON.stringify([element.id, element.name, element.getAttribute("aria-label")]);
  const marks = { ...element.dataset, where: undefined };
  return JSON.stringify(Object.keys(marks).length > 1 && !marks.do ? marks : [marks, element.textContent]);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "boolean" && name.startsWith("aria-")) element.setAttribute(name, String(value)); // "false" says something, too
    else if (value === false) continue;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  const given = children.filter((child) => child !== null && child !== undefined);
  element.append(...given.map((child) => (typeof child === "string" ? isolated(child) : child)));
  return element;
}
