// The arrow that shows where a flick goes and how hard.

import { s } from "./dom.js";
import { decimal, t } from "./texts.js";

const SPEED_PER_MM = 8; // mm/s for each mm of the drag: 160 mm slide on for twice their length, 375 mm are the hardest
const SLOWEST_MM_S = 150;
const FASTEST_MM_S = 3000; // as hard as people flick
const DEAD_MM = 12; // a shorter drag is a change of mind
const FIRST_MM = 90; // the arrow that the first key brings
const TURN_DEG = 5;
const FINE_DEG = 1;
const STEP_MM = 10;
const HEAD_MM = 15;

export class Aim {
  constructor(svg, board) {
    this.board = board;
    this.group = s("g", { class: "aiming" });
    svg.append(this.group);
    this.vector = null;
  }

  /** Aims a puck at a point: direction from the puck's centre, speed from the distance. */
  /** @param {any} known @param {number[]} at */
  from(known, [x, y]) {
    this.draw(known, x - known.x, y - known.y);
  }

  /** Left and right turn the arrow, up and down change the speed; false for other keys. */
  turn(known, key, fine) {
    const { length, angle } = this.vector ?? { length: FIRST_MM, angle: 0 };
    const turn = ((fine ? FINE_DEG : TURN_DEG) * Math.PI) / 180;
    const changes = { ArrowLeft: [0, -turn], ArrowRight: [0, turn], ArrowUp: [STEP_MM, 0], ArrowDown: [-STEP_MM, 0] };
    if (!(key in changes)) return false;
    const [more, by] = changes[key];
    const far = Math.max(length + more, DEAD_MM + 1);
    this.draw(known, far * Math.cos(angle + by), far * Math.sin(angle + by));
    return true;
  }

  /** {angle_deg, speed_mm_s}, or null where the drag was too short. */
  flick() {
    if (!this.vector || this.vector.length < DEAD_MM) return null;
    const degrees = (this.vector.angle * 180) / Math.PI;
    return { angle_deg: Math.round(degrees * 10) / 10, speed_mm_s: Math.round(speed(this.vector.length)) };
  }

  clear() {
    this.vector = null;
    this.group.replaceChildren();
  }

  draw(known, dx, dy) {
    const length = Math.min(Math.hypot(dx, dy), FASTEST_MM_S / SPEED_PER_MM);
    const angle = Math.atan2(dy, dx);
    this.vector = { length, angle };
    if (length < DEAD_MM) {
      this.group.replaceChildren();
      return;
    }
    const tip = length - HEAD_MM * 0.6;
    const arrow = s("g", { transform: `translate(${known.x} ${known.y}) rotate(${(angle * 180) / Math.PI})` },
      s("line", { class: "aim-ray", x1: length, x2: Math.max(length, this.toEdge(known, angle)) }),
      s("line", { class: "aim-under", x2: tip }), s("line", { class: "aim", x2: tip }),
      s("path", { class: "aim-head", d: `M${length} 0l${-HEAD_MM}-8v16z` }));
    const words = t("aim.speed", { value: decimal(speed(length) / 1000, 1) });
    this.group.replaceChildren(arrow, s("text", { class: "aim-speed", x: known.x, y: known.y - 24 }, words));
  }

  /** How far the playing surface goes on from a puck in a direction, mm. */
  toEdge({ x, y }, angle) {
    const [w, h] = this.board.size;
    const along = (at, size, step) => (step > 1e-9 ? (size - at) / step : step < -1e-9 ? -at / step : Infinity);
    return Math.min(along(x, w, Math.cos(angle)), along(y, h, Math.sin(angle)));
  }
}

function speed(length) {
  return Math.min(Math.max(length * SPEED_PER_MM, SLOWEST_MM_S), FASTEST_MM_S);
}
