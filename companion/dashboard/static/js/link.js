// Says honestly how the page stands: live, connecting, or showing something old.

import { byId } from "./dom.js";
import { firstTap } from "./presses.js";
import { t, typeset } from "./texts.js";
import { place as standFree } from "./toast_place.js";

const SHOWN_MS = 6000;
let timer = 0;

addEventListener("resize", () => requestAnimationFrame(() => { // when all else has its place
  const place = byId("toast");
  if (place && !place.hidden) standFree(place);
}));

/** state: "connecting", "live" or "lost"; why a line is lost: "offline", "full" or "gone". */
export function showLink(state, why = "gone") {
  const place = byId("link");
  place.dataset.state = state;
  const lost = { offline: t("link.offline"), full: t("link.full") };
  const words = { live: t("link.live"), lost: lost[why] ?? t("link.lost") };
  place.textContent = words[state] ?? t("link.connecting");
  document.body.dataset.link = state;
}

/** A short message: why something was refused. It lies above a dialog that is open, too, and over nothing that is pressed. */
export function toast(message) {
  const place = byId("toast");
  place.textContent = typeset(message);
  place.hidden = false;
  if (place.showPopover) { // else the browser is an older one: a dialog dims what lies behind it
    if (place.matches(":popover-open")) place.hidePopover(); // shown anew it comes above what was opened since
    place.showPopover();
  }
  standFree(place);
  clearTimeout(timer);
  timer = setTimeout(() => (place.hidden = true), SHOWN_MS);
}

/** Runs a command; a refusal or a lost line is told, not thrown. read: what makes a refusal easier to read; null where it
 * has shown it itself. */
export async function attempt(action, read = (text) => text) {
  try {
    await action();
    return true;
  } catch (error) {
    tellWhy(error, read);
    return false;
  }
}

/** Tells why something failed. @param {any} error @param {(text: string) => string | null} [read] as attempt has it */
export function tellWhy(error, read = (text) => text) {
  const why = error instanceof TypeError ? t("refused.offline") : read(error.message);
  if (why !== null) toast(why || t("refused.plain"));
}

/** The same for what a double tap must not do twice: an undo, an action, the next phase. */
export async function attemptOnce(action, read) {
  return firstTap() && attempt(action, read);
}
