// Keeps the screen awake while a match is shown, where the browser can: that needs a secure line.

import { t } from "./texts.js";
import { wishes } from "./wishes.js";

let lock = null;

/** Asks for the screen to stay on, again each time the page is seen anew; says why where it cannot. */
export function keepAwake(say) {
  const ask = async () => {
    if (!wishes().awake) {
      await lock?.release();
      lock = null;
      say("");
      return;
    }
    if (!("wakeLock" in navigator)) {
      say(t("awake.cannot"));
      return;
    }
    if (document.hidden || (lock && !lock.released)) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null); // a low battery refuses
    say(lock ? "" : t("awake.refused"));
  };
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("wish", ask);
  return ask();
}
