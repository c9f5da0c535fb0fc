// What is being composed on this screen, kept in the tab: over a reload, and while another of its seats is looked at.

const KEEP = "paleo.plans";
const MOST = 8; // those that were touched last

let plans = null;

function all() {
  try {
    plans ??= JSON.parse(sessionStorage.getItem(KEEP) ?? "{}");
  } catch {
    plans = {}; // a window that keeps nothing: they last until the page is left
  }
  return plans;
}

/** What was being composed for this, or null. @param {string} key */
export function keptPlan(key) {
  return all()[key] ?? null;
}

/** @param {string} key @param {any} plan */
export function keepPlan(key, plan) {
  const others = Object.entries(all()).filter(([one]) => one !== key);
  plans = Object.fromEntries([...others, [key, plan]].slice(-MOST));
  try {
    sessionStorage.setItem(KEEP, JSON.stringify(plans));
  } catch {
    // as above
  }
}
