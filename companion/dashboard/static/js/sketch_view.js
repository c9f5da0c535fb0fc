// The board as it is drawn: its picture from above with shapes over it, closer or further away.

import { s } from "./dom.js";
import { copies, middle, seen } from "./sketch_geometry.js";
import { CIRCLES } from "./sketch_drawing.js";

const CLOSER = 1.25;
const MOST_CLOSE = 12;
const PAINTS = { sanctuary: "#8fd3ff", no_reef: "#ffffff", island: "#ffd98a", advanced_camp: "#ffd98a", gate: "#ff9cf0", door: "#7dff9b", facade: "#ffb37a" };
const REACH_PX = 22; // around a handle, for a finger
const MARGIN_MM = 50;

export class SketchView {
  constructor(svg) {
    this.svg = svg;
    this.layers = { picture: s("g"), shapes: s("g"), draft: s("g") };
    svg.append(...Object.values(this.layers));
    this.whole = [0, 0, 1, 1];
    this.box = this.whole;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? CLOSER : 1 / CLOSER, this.place(event));
    }, { passive: false });
  }

  /** Shows a picture from above over the surface, or the bare surface where href is null. */
  /** @param {string | null} href @param {number[]} size */
  showAbove(href, [w, h]) {
    const m = MARGIN_MM;
    const frame = { x: -m, y: -m, width: w + 2 * m, height: h + 2 * m };
    this.layers.picture.replaceChildren(
      href ? s("image", { href, ...frame, preserveAspectRatio: "none" }) : s("rect", { class: "ground", width: w, height: h }),
      s("rect", { class: "edge", width: w, height: h }),
      s("line", { class: "axis", x1: w / 2, x2: w / 2, y1: 0, y2: h }),
      s("line", { class: "axis", x1: 0, x2: w, y1: h / 2, y2: h / 2 }),
    );
    this.frame([-m, -m, w + 2 * m, h + 2 * m]);
  }

  /** Shows the camera's picture as it is, to click corners on. */
  showPicture(href, [w, h]) {
    this.layers.picture.replaceChildren(s("image", { href, width: w, height: h }));
    this.layers.shapes.replaceChildren();
    this.frame([0, 0, w, h]);
  }

  frame(whole) {
    if (whole.join() === this.whole.join()) return;
    this.whole = whole;
    this.look(whole);
  }

  look(box) {
    this.box = box;
    this.svg.setAttribute("viewBox", box.join(" "));
  }

  lookAtAll() {
    this.look(this.whole);
  }

  /** Closer (above 1) or further, a place staying where it is. */
  /** @param {number} times @param {number[]} [at] */
  zoom(times, [x, y] = [this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2]) {
    const [left, top, width] = this.box;
    const wide = Math.min(Math.max(width / times, this.whole[2] / MOST_CLOSE), this.whole[2]);
    if (wide === this.whole[2]) return this.lookAtAll();
    const scale = wide / width;
    this.look([x - (x - left) * scale, y - (y - top) * scale, wide, this.box[3] * scale]);
  }

  pan(dx, dy) {
    this.look([this.box[0] - dx, this.box[1] - dy, this.box[2], this.box[3]]);
  }

  /** The place (in the view's own units) under a pointer. */
  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /** How many of the view's units a pixel of the screen is. */
  get pixel() {
    return 1 / this.svg.getScreenCTM().a;
  }

  /** All shapes with their copies; heightOf gives a shape's height, for where its top is seen. */
  showShapes(drawing, { size, camera, heightOf, chosen, wrong, round }) {
    const nodes = [];
    for (const shape of drawing.shapes) {
      copies(shape, drawing.mirror, size, drawing.teams.length).forEach((copy, index) => {
        const top = raised(copy, heightOf(copy), camera);
        const paint = PAINTS[copy.kind] ?? drawing.teams[copy.team ?? 0]?.colour ?? "#fff";
        const kind = ["shape", index ? "copy" : "", shape.id === chosen ? "chosen" : "", wrong.has(shape.id) ? "wrong" : ""];
        nodes.push(outline(top, { class: "casing" }, round));
        const drawn = outline(top, { class: kind.filter(Boolean).join(" "), "data-shape": shape.id, "data-copy": index }, round);
        drawn.style.setProperty("--paint", paint);
        nodes.push(drawn);
      });
    }
    const one = drawing.shapes.find((shape) => shape.id === chosen);
    if (one) nodes.push(...this.handles(raised(one, heightOf(one), camera)));
    this.layers.shapes.replaceChildren(...nodes);
  }

  handles(shape) {
    const r = 6 * this.pixel;
    const points = shape.circle ? [shape.circle.slice(0, 2), [shape.circle[0] + shape.circle[2], shape.circle[1]]] : shape.points;
    const circles = (attributes) => points.map(([x, y], index) => s("circle", { ...attributes, cx: x, cy: y, "data-handle": index }));
    return [...circles({ class: "reach", r: REACH_PX * this.pixel }), ...circles({ class: "handle", r })];
  }

  /** What is being drawn: points so far with the pointer's, and a ring where it caught on something. */
  showDraft(kind, points, caught, label) {
    const nodes = [];
    const r = 4 * this.pixel;
    if (points.length > 1 && (CIRCLES.includes(kind) || kind === "round")) {
      const [a, b] = points;
      nodes.push(s("circle", { class: "draft", cx: a[0], cy: a[1], r: Math.hypot(b[0] - a[0], b[1] - a[1]) }));
    } else if (points.length > 1 && kind === "box") {
      const [a, b] = points;
      nodes.push(s("polygon", { class: "draft", points: [a, [b[0], a[1]], b, [a[0], b[1]]].map((p) => p.join()).join(" ") }));
    } else if (points.length) {
      nodes.push(s("polyline", { class: "draft", points: points.map((p) => p.join()).join(" ") }));
    }
    for (const [x, y] of points) nodes.push(s("circle", { class: "handle", cx: x, cy: y, r }));
    if (caught) nodes.push(s("circle", { class: "snapped", cx: caught[0], cy: caught[1], r: 3 * r }));
    if (label && points.length) {
      const [x, y] = points.at(-1);
      nodes.push(s("text", { x, y: y - 18 * this.pixel, "font-size": 13 * this.pixel }, label));
    }
    this.layers.draft.replaceChildren(...nodes);
  }
}

/** A shape as its top is seen. */
function raised(shape, height, camera) {
  const copy = { ...shape, points: shape.points.map((p) => seen(p, height, camera)) };
  if (shape.circle) copy.circle = [...seen(shape.circle, height, camera), shape.circle[2]];
  return copy;
}

function outline(shape, attributes, round) {
  if (shape.circle) return s("circle", { ...attributes, cx: shape.circle[0], cy: shape.circle[1], r: Math.max(shape.circle[2], 0) });
  if (shape.kind === "start") {
    const [x, y] = middle(shape);
    return s("circle", { ...attributes, cx: x, cy: y, r: Math.max(round, 0) }); // whatever is being typed into its field
  }
  const points = shape.points.map((p) => p.join()).join(" ");
  return s(shape.kind === "door" ? "polyline" : "polygon", { ...attributes, points });
}
