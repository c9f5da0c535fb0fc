// The pucks' layer: they glide to where they were last seen, and leave a wake until the next shot.

import { s } from "./dom.js";
import { puckLabel, puckShape, roleOf } from "./shapes.js";
import { viewBox } from "./chart.js";

const GLIDE_MS = 45; // time constant: smooth between 30 sights a second, and never late by more than a frame or two
const THERE_MM = 0.15;
const WAKE_STEP_MM = 5;
const NEW_SHOT_MS = 1500; // stillness after which the next movement begins a new wake
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class PuckLayer {
  constructor(board) {
    this.board = board;
    this.wakes = s("g", {});
    this.group = s("g", {});
    this.svg = s("svg", { class: "layer-pucks", viewBox: viewBox(board).join(" ") }, this.wakes, this.group);
    this.pucks = new Map();
    this.movedAt = -Infinity;
    this.frame = 0;
    this.step = this.step.bind(this);
  }

  /** pucks: [{puck, team, number, role?, x_mm, y_mm, captured?}]; others go. Held ones stay where the hand has them. */
  show(pucks) {
    const seen = new Set();
    for (const puck of pucks) {
      seen.add(puck.puck);
      const known = this.pucks.get(puck.puck) ?? this.enter(puck);
      this.relabel(known, puck);
      if (known.held) continue;
      this.head(known, puck);
    }
    for (const [id, known] of this.pucks) {
      if (!seen.has(id) && !known.held) this.leave(id, known);
    }
    if (!this.frame) this.frame = requestAnimationFrame(this.step);
  }

  /** Moves a puck at once, for a hand that drags it. */
  put(id, x, y) {
    const known = this.pucks.get(id);
    if (!known) return;
    known.x = known.toX = x;
    known.y = known.toY = y;
    move(known);
  }

  enter(puck) {
    const element = s("g", { class: "puck", "data-puck": puck.puck });
    const known = { element, x: puck.x_mm, y: puck.y_mm, toX: puck.x_mm, toY: puck.y_mm, look: "", wake: null, held: false };
    this.pucks.set(puck.puck, known);
    this.group.append(element);
    move(known);
    return known;
  }

  leave(id, known) {
    known.element.remove();
    known.wake?.element.remove();
    this.pucks.delete(id);
  }

  relabel(known, puck) {
    known.puck = puck;
    known.element.classList.toggle("captured", Boolean(puck.captured));
    const look = `${puck.team} ${puck.number} ${roleOf(this.board, puck)}`;
    if (known.look === look) return;
    known.look = look;
    const r = this.board.puck.diameter_mm / 2;
    known.element.replaceChildren(
      s("circle", { class: "puck-focus", r: r + 4 }), puckShape(this.board, puck), s("circle", { class: "puck-lift", r: r + 4 }));
    known.element.setAttribute("role", "img");
    known.element.setAttribute("aria-label", puckLabel(this.board, puck));
  }

  head(known, puck) {
    const far = Math.hypot(puck.x_mm - known.toX, puck.y_mm - known.toY);
    known.toX = puck.x_mm;
    known.toY = puck.y_mm;
    if (far < 1.5) return;
    const now = performance.now();
    if (now - this.movedAt > NEW_SHOT_MS) this.clearWakes();
    this.movedAt = now;
    if (!known.wake) {
      known.wake = { element: s("path", { class: "wake" }), d: `M${known.x.toFixed(1)} ${known.y.toFixed(1)}`, x: known.x, y: known.y };
      this.wakes.append(known.wake.element);
    }
  }

  clearWakes() {
    this.wakes.replaceChildren();
    for (const known of this.pucks.values()) known.wake = null;
  }

  step(now) {
    const part = still.matches ? 1 : 1 - Math.exp(-Math.min(now - (this.then ?? now - 16), 100) / GLIDE_MS);
    this.then = now;
    let moving = false;
    for (const known of this.pucks.values()) {
      const dx = known.toX - known.x;
      const dy = known.toY - known.y;
      if (dx === 0 && dy === 0) continue;
      const close = Math.hypot(dx, dy) < THERE_MM;
      known.x = close ? known.toX : known.x + dx * part;
      known.y = close ? known.toY : known.y + dy * part;
      moving ||= !close;
      move(known);
      trail(known, close);
    }
    this.frame = moving ? requestAnimationFrame(this.step) : 0;
    if (!moving) this.then = undefined;
  }
}

function move(known) {
  known.element.setAttribute("transform", `translate(${known.x.toFixed(2)} ${known.y.toFixed(2)})`);
}

function trail(known, last) {
  const { wake } = known;
  if (!wake || (!last && Math.hypot(known.x - wake.x, known.y - wake.y) < WAKE_STEP_MM)) return;
  wake.d += `L${known.x.toFixed(1)} ${known.y.toFixed(1)}`;
  wake.x = known.x;
  wake.y = known.y;
  wake.element.setAttribute("d", wake.d);
}
