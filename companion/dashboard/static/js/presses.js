// Between a press and its release nothing is redrawn: a tap whose button is replaced, or moved away, meanwhile is lost. And
// the second half of a double tap is no tap of its own: what it would hit has only just come to lie there.

const LONGEST_MS = 5000; // some hands are slow, and so are some screens; who holds on for longer does not tap
const TWICE_MS = 500; // as long as browsers and phones wait for the second half of a double tap
const SEEN_MS = 400; // from what is seen to the finger that acts by it
const TWICE_PX = 24; // as far as a finger slips between both

const down = new Set(); // the fingers on the screen
let release = () => {};
let pressed = Promise.resolve();
let longest = 0;
let downAt = 0;

document.addEventListener("pointerdown", ({ pointerId }) => {
  downAt = performance.now();
  down.add(pointerId);
  release();
  pressed = new Promise((done) => { release = () => done(undefined); });
  clearTimeout(longest);
  longest = setTimeout(() => { down.clear(); release(); }, LONGEST_MS);
}, true);
for (const end of /** @type {["pointerup", "pointercancel"]} */ (["pointerup", "pointercancel"])) {
  document.addEventListener(end, ({ pointerId }) => {
    down.delete(pointerId);
    if (!down.size) setTimeout(release); // the click comes right after
  }, true);
}

/** Settles as soon as nothing is being pressed. */
export async function untouched() {
  for (let seen = null; seen !== pressed;) {
    seen = pressed;
    await seen;
  }
}

/** The same function, carried out as soon as nothing is being pressed; of what it was called with meanwhile, the newest counts.
 * @param {(...values: any[]) => void} does */
export function calmly(does) {
  let newest = null;
  return async (...values) => {
    const waits = newest !== null;
    newest = values;
    if (waits) return;
    await untouched();
    const last = newest;
    newest = null;
    does(...last);
  };
}

let tap = null; // the click that is being handled
let before = null; // the click before it
let last = null; // the newest click
let acted = null; // the click that was carried out last
let slipped = null; // the click that was none of its own

document.addEventListener("click", (event) => {
  before = last;
  tap = last = event;
  setTimeout(() => { if (tap === event) tap = null; });
}, true);

/** Whether this tap may do something: not where it is the second half of a double tap. Keys are none, nor is what comes
 * after a tap elsewhere. */
export function firstTap() {
  if (!tap?.detail) return true;
  const twice = acted && (before === acted || before === slipped) && tap.timeStamp - acted.timeStamp < TWICE_MS
    && Math.hypot(tap.clientX - acted.clientX, tap.clientY - acted.clientY) < TWICE_PX;
  if (twice && tap !== acted) {
    slipped = tap;
    return false;
  }
  acted = tap;
  return true;
}

/** What a button means that says now this, now that, as other screens change it, too: what it said when the hand set out. */
export class Meant {
  constructor() {
    this.says = this.before = null;
    this.since = -Infinity;
    this.own = false; // this screen asked for what comes next
  }

  /** What it says now. */
  show(says) {
    if (says === this.says) return;
    this.before = this.says;
    this.since = this.own || this.before === null ? -Infinity : performance.now();
    this.says = says;
    this.own = false;
  }

  /** Does what is meant by the press that is handled now. act: gets what was said, and tells whether it went well. */
  async press(act) {
    const at = tap?.detail ? downAt : performance.now();
    const meant = at - this.since < SEEN_MS ? this.before : this.says;
    this.own = meant === this.says;
    if (!(await act(meant))) this.own = false;
  }
}
