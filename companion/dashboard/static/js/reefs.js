// Each reef's narrowest gap on the board's drawing, in millimetres, while reefs are placed (P26).

import { s } from "./dom.js";
import { decimal } from "./texts.js";

const AWAY = 11; // mm beside the gap's middle: the number does not lie on the line

/** A line across each gap with its width; gaps that are too narrow say how wide they should be. */
export function drawGaps(gaps) {
  return gaps.map(({ line: [[ax, ay], [bx, by]], mm, least_mm: least, legal }) => {
    const words = legal ? decimal(mm, 0) : `${decimal(mm, 0)} < ${decimal(least, 0)}`;
    const far = Math.hypot(bx - ax, by - ay) || 1;
    const [x, y] = [(ax + bx) / 2 - (AWAY * (by - ay)) / far, (ay + by) / 2 + (AWAY * (bx - ax)) / far];
    return s("g", { class: "gap", "data-legal": String(legal) },
      s("line", { x1: ax, y1: ay, x2: bx, y2: by }), s("text", { x, y }, `${words} mm`));
  });
}
