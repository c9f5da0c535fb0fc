// A script that a lost line kept back: browsers do not try it again, so that the page is loaded anew.

const KEPT = "paleo.loaded-anew";
const SELDOM_MS = 30000; // a script that is broken for good reloads no page more often

/** Loads the page anew, where that was not done just now. */
export function loadAnew() {
  try {
    if (Math.abs(Date.now() - Number(sessionStorage.getItem(KEPT))) < SELDOM_MS) return;
    sessionStorage.setItem(KEPT, String(Date.now()));
  } catch {
    return; // where nothing is kept it would be done for ever
  }
  location.reload();
}
