// Undo. Where nothing of a match is left to undo but its own beginning, that is asked about first.

import { undo } from "./api.js";
import { h } from "./dom.js";
import { attemptOnce } from "./link.js";
import { firstTap } from "./presses.js";
import { t } from "./texts.js";

const BEGINNINGS = ["match_started", "match_resumed"]; // as the scoreboard's `undoes` has it

/** Takes back what this scoreboard shows as the last thing done. */
export function takeBack(score) {
  if (!BEGINNINGS.includes(score?.undoes)) return attemptOnce(() => undo(score));
  return firstTap() && ask(score);
}

function ask(score) {
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "undo-match-title" });
  const away = h("button", { type: "button", class: "button", "data-do": "undo-match", onclick: async () => {
    if (!firstTap()) return;
    dialog.close(); // a refusal would be told behind it
    await attemptOnce(() => undo(score));
  } }, t("undo.do"));
  const keep = h("button", { type: "button", class: "button button-main", autofocus: true, onclick: () => dialog.close() }, t("undo.keep"));
  dialog.append(h("h2", { id: "undo-match-title" }, t("undo.match")), h("p", {}, t("undo.says")), h("div", { class: "dialog-buttons" }, away, keep));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
