// The drawing itself: shapes and teams, every step of which can be undone, kept in the tab over a reload.

const KEEP = "paleo-drawing";
const MOST_STEPS = 200;

export const CIRCLES = ["base_camp", "advanced_camp", "island", "gate"];
export const RECTANGLES = ["facade", "reef"];
export const OWNED = ["base_camp", "sanctuary", "door", "facade", "reef", "start"];

const FIRST = {
  source: null, // text of the board file that was opened
  file: null, // what it was opened from, or saved as
  keep_markers: false,
  own_markers: false, // the file that was opened has others than the usual four
  measures: {}, // by field; the page's own where there is none
  mirror: "both",
  teams: [
    { name: "red", colour: "#c8342a", digit_colour: "#f5f1e6", reef_colour: "#e8e4da", mercenaries: [1, 2, 8], explorers: [3, 4, 5, 6, 7] },
    { name: "green", colour: "#2f8f4e", digit_colour: "#f5f1e6", reef_colour: "#23262a", mercenaries: [1, 2, 8], explorers: [3, 4, 5, 6, 7] },
  ],
  shapes: [],
};

export class Drawing {
  /** changed is called after every change. */
  constructor(changed) {
    this.changed = changed;
    this.now = { ...structuredClone(FIRST), ...kept() };
    this.before = [];
    this.after = [];
  }

  get shapes() {
    return this.now.shapes;
  }

  shape(id) {
    return this.now.shapes.find((shape) => shape.id === id) ?? null;
  }

  /** Changes a copy of the drawing, as one step. */
  change(how) {
    this.before.push(this.now);
    if (this.before.length > MOST_STEPS) this.before.shift();
    this.after = [];
    this.now = structuredClone(this.now);
    how(this.now);
    this.keep();
  }

  add(shape) {
    const number = Math.max(0, ...this.now.shapes.map((one) => Number(one.id))) + 1;
    this.change((drawing) => drawing.shapes.push({ ...shape, id: String(number) }));
    return String(number);
  }

  undo() {
    this.step(this.before, this.after);
  }

  redo() {
    this.step(this.after, this.before);
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.now);
    this.now = from.pop();
    this.keep();
  }

  /** Begins anew, with the measures as they are. */
  restart() {
    this.change((drawing) => Object.assign(drawing, structuredClone(FIRST), { measures: drawing.measures }));
  }

  /** Takes up a board that was opened, as one step. */
  open(drawing) {
    this.change((now) => Object.assign(now, structuredClone(FIRST), drawing));
  }

  /** Told what it is saved as: that is undone by no step. */
  saved(file) {
    for (const step of [...this.before, this.now, ...this.after]) if (step.source === this.now.source) step.file = file;
    this.keep();
  }

  keep() {
    try {
      sessionStorage.setItem(KEEP, JSON.stringify(this.now));
    } catch {
      // a window that keeps nothing, or no more: the drawing lasts until the page is left
    }
    this.changed();
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEEP) ?? "{}");
  } catch {
    return {};
  }
}
