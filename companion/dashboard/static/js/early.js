// Runs before anything can be pressed. What is pressed before the page's script is there waits, is seen to wait, and is
// done then; where a lost line keeps the script back, the page is loaded anew as soon as there is a line.
"use strict";

(() => {
  const AGAIN_MS = 2500;
  const SELDOM_MS = 30000; // a script that is broken for good reloads no page more often
  const KEPT = "paleo.loaded-anew"; // as anew.js has it

  /** @type {any} the button or form that was pressed last: whoever tries another one means that */
  let waits = null;
  /** @type {Set<any>} */
  const changed = new Set();

  /** @param {any} next */
  function wait(next) {
    waits?.removeAttribute("data-waits");
    waits = next;
    waits?.setAttribute("data-waits", "");
  }

  /** @param {any} event */
  function pressed(event) {
    const button = event.target.closest?.("button");
    if (button && !(button.form && button.type === "submit")) wait(button);
  }

  /** @param {any} event */
  function sent(event) {
    event.preventDefault();
    wait(event.target);
  }

  /** @param {any} event */
  function told(event) {
    changed.add(event.target);
  }

  /** @type {[string, (event: any) => void][]} */
  const heard = [["click", pressed], ["submit", sent], ["change", told]];
  for (const [name, hear] of heard) document.addEventListener(name, hear, true);

  document.addEventListener("page-ready", () => {
    for (const [name, hear] of heard) document.removeEventListener(name, hear, true);
    const meant = waits;
    wait(null);
    for (const one of changed) if (one.isConnected) one.dispatchEvent(new Event("change", { bubbles: true }));
    if (!meant?.isConnected) return;
    if (meant instanceof HTMLFormElement) meant.requestSubmit();
    else meant.click();
  }, { once: true });

  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement) missed();
  }, true);

  function missed() {
    const place = document.getElementById("toast");
    if (place) {
      place.textContent = place.dataset.missed;
      place.hidden = false;
      place.showPopover?.();
    }
    setTimeout(look, AGAIN_MS);
  }

  async function look() {
    const there = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (!there || !seldom()) setTimeout(look, AGAIN_MS);
    else location.reload();
  }

  function seldom() {
    try {
      if (Math.abs(Date.now() - Number(sessionStorage.getItem(KEPT))) < SELDOM_MS) return false;
      sessionStorage.setItem(KEPT, String(Date.now()));
      return true;
    } catch {
      return false; // where nothing is kept it would be done for ever
    }
  }
})();
