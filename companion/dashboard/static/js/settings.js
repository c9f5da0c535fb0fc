// The dialog of this screen's wishes, and the single keys of the match pages.

import { keepAwake } from "./awake.js";
import { byId } from "./dom.js";
import { wish, wishes } from "./wishes.js";

const BUTTONS = { u: "#undo", p: "#pause", n: "#open-new-match", r: "#otherwise [data-does=replay]", o: "#otherwise [data-does=tell]" };

export function settings() {
  const dialog = byId("settings");
  for (const box of dialog.querySelectorAll("input[type=checkbox]")) {
    box.checked = wishes()[box.name];
    box.addEventListener("change", () => wish(box.name, box.checked));
  }
  byId("full-screen").addEventListener("click", fullScreen);
  document.addEventListener("ask-settings", () => dialog.showModal());
  document.addEventListener("keydown", key);
  keepAwake((text) => (byId("wish-said").textContent = text));
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => undefined); // refused: the page stays as it is
}

function key(event) {
  if (!wishes().keys || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (document.querySelector("dialog[open]") || event.target.closest?.("input, select, textarea, [contenteditable]")) return;
  const pressed = event.key.toLowerCase();
  if (pressed === "f") fullScreen();
  else if (BUTTONS[pressed]) press(document.querySelector(BUTTONS[pressed]));
  else if (/^[1-9]$/.test(pressed)) press(document.querySelectorAll("#ask .ask-choices button")[Number(pressed) - 1]);
}

function press(button) {
  if (button && button.offsetParent !== null) button.click();
}
