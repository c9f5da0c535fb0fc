// Where a short message stands: nearest to the bottom's middle where it covers nothing that can be pressed, or the least
// of its words where all is full of that.

const CONTROLS = "a[href], button, input, select, summary, textarea, [role=button]";
const WORDS = ".ask, .said, .mine-turn"; // that are being read just then
const EDGE_PX = 12; // from the window's edges
const LEAST_EDGE_PX = 4; // from the lower one, where there is just that much room under what can be pressed
const STEP_PX = 12; // between the places that are looked at, from left to right
const STEP_DOWN_PX = 4; // from above down: what is free on a phone is often just as high as a message
const GAP_PX = 6; // to what it stands beside, where there is room
const SIDEWAYS = 0.25; // to the side it is sooner looked for than further up
const COVERED = 1e9; // what it is worth to leave all of a control free: more than any way
const RIM = 0.1; // of that for what lies around a control's words
const READ = 0.05; // how far a message moves for each square pixel of words, and of a gap, that it leaves free

/** Puts a message there. It is measured anew each time, as what it says has another size, and the page another state. */
export function place(message) {
  const { width, height } = message.getBoundingClientRect();
  const [left, top] = freePlace({ width, height }, { width: innerWidth, height: innerHeight }, boxes(CONTROLS, message), boxes(WORDS, message));
  message.style.left = `${left + width / 2}px`;
  message.style.top = `${top}px`;
  message.style.bottom = "auto";
}

/** Where that lies which is seen now; what is under a dialog is not. */
function boxes(what, message) {
  const within = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  return [...within.querySelectorAll(what)]
    .filter((one) => !message.contains(one) && one.checkVisibility?.({ visibilityProperty: true, opacityProperty: false }) !== false)
    .map(box)
    .filter(({ width, height }) => width > 1 && height > 1);
}

/** Where something lies; inner: without what is kept free around its words. */
function box(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const [above, right, below, before] = ["Top", "Right", "Bottom", "Left"].map((side) => parseFloat(style[`padding${side}`]) || 0);
  const inner = { left: left + before, top: top + above, width: width - before - right, height: height - above - below };
  return { left, top, width, height, inner };
}

/** [left, top] of a box in a window: where it covers least of the controls, then little of the words, and is near.
 * @param {{ width: number, height: number }} box @param {{ width: number, height: number }} window
 * @param {any[]} controls each with its `inner` box @param {any[]} [words] */
export function freePlace({ width, height }, window, controls, words = []) {
  const [lowest, middle] = [Math.max(window.height - height - EDGE_PX, 0), (window.width - width) / 2];
  let best = [middle, lowest];
  let least = Infinity;
  const tops = steps(Math.min(EDGE_PX, lowest), Math.max(window.height - height - LEAST_EDGE_PX, lowest), lowest, STEP_DOWN_PX).reverse();
  for (const top of tops) { // the nearest first, but for a few: most others need no look then
    for (const left of steps(Math.min(EDGE_PX, middle), window.width - width - Math.min(EDGE_PX, middle), middle, STEP_PX)) {
      const far = Math.abs(lowest - top) + SIDEWAYS * Math.abs(left - middle);
      if (far >= least) continue;
      const covered = sum(controls, { left, top, width, height }, hidden);
      const near = sum([...controls, ...words], { left: left - GAP_PX, top: top - GAP_PX, width: width + 2 * GAP_PX, height: height + 2 * GAP_PX });
      const cost = COVERED * covered + READ * near + far;
      if (cost < least) [best, least] = [[left, top], cost];
    }
  }
  return best;
}

/** From one number to another, by way of a third. */
function steps(from, to, by, step) {
  const down = Math.floor((by - from) / step);
  const up = Math.floor((to - by) / step);
  return Array.from({ length: down + up + 1 }, (_, n) => by + (n - down) * step);
}

function sum(boxes, over, how = overlap) {
  return boxes.reduce((all, box) => all + how(box, over), 0);
}

/** Which part of a control lies under that, its words counting most: a tap goes through, but what is not read is not found. */
function hidden(control, over) {
  const { inner } = control;
  return overlap(inner, over) / Math.max(inner.width * inner.height, 1) + (RIM * overlap(control, over)) / (control.width * control.height);
}

function overlap(a, b) {
  const wide = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const high = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(wide, 0) * Math.max(high, 0);
}
