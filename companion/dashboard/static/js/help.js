// The rules' search: what has all words of it stays, with or without accents; a link to a rule is shown at once.

import { byId } from "./dom.js";
import { t } from "./texts.js";

export function help() {
  const items = [...byId("rule-list").children].map((element) => ({ element, text: plain(element.textContent) }));
  const search = byId("rule-search");
  search.addEventListener("input", () => filter(items, search.value));
  addEventListener("hashchange", show);
  if (search.value) filter(items, search.value); // written before this script was there, and since the link was followed
  else show();
}

function show() {
  const rule = document.getElementById(location.hash.slice(1));
  if (!rule?.closest("#rule-list")) return;
  rule.hidden = false;
  rule.scrollIntoView({ block: "center" });
  rule.focus({ preventScroll: true });
}

function filter(items, asked) {
  let count = 0;
  for (const { element, text } of items) {
    element.hidden = !hasAll(text, asked);
    count += element.hidden ? 0 : 1;
  }
  byId("rule-none").hidden = count > 0;
  byId("rule-count").textContent = t("help.found", { count });
}

/** Whether a plain text has every word of a search, each at least as the beginning of one of its words. */
export function hasAll(text, asked) {
  return plain(asked).split(/\s+/).filter(Boolean).every((word) => ` ${text}`.includes(` ${word}`) || (word.length > 3 && text.includes(word)));
}

/** Small letters without accents, signs as spaces. */
export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}
