// Geometry of a drawn board, in millimetres: mirror images, snapping, and where things of some height are seen.

export const MIRRORS = {
  none: [[false, false]],
  sides: [[false, false], [true, false]],
  ends: [[false, false], [false, true]],
  both: [[false, false], [true, false], [false, true], [true, true]],
  turn: [[false, false], [true, true]],
};
const SAME_MM = 4; // a copy this near to its original is the same thing, on an axis
const MOST_SNAP_MM = 3; // further is never meant, however small the picture is shown
const STEP_MM = 0.5; // nobody reads a picture more finely

/** A shape's copies, the first being itself; those that lie on another are left out. */
/** @param {any} shape @param {any} mirror @param {number[]} size @param {number} teams */
export function copies(shape, mirror, [w, h], teams) {
  if (shape.origin) return [shape]; // its mirror image is in the file that was opened, too
  const made = [];
  for (const [across, down] of MIRRORS[mirror]) {
    const flip = ([x, y]) => [across ? w - x : x, down ? h - y : y];
    const copy = { ...shape, points: (shape.points ?? []).map(flip) };
    if (shape.circle) copy.circle = [...flip(shape.circle), shape.circle[2]];
    const other = { sides: across, diagonal: across !== down, same: false }[shape.swap ?? "sides"];
    if (other && shape.team !== null && teams === 2) copy.team = 1 - shape.team;
    if (!made.some((one) => same(one, copy))) made.push(copy);
  }
  return made;
}

export function middle(shape) {
  if (shape.circle) return shape.circle.slice(0, 2);
  const sum = shape.points.reduce(([x, y], p) => [x + p[0], y + p[1]], [0, 0]);
  return [sum[0] / shape.points.length, sum[1] / shape.points.length];
}

export function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function same(one, other) {
  if (distance(middle(one), middle(other)) > SAME_MM) return false;
  return one.points.every((p) => other.points.some((q) => distance(p, q) <= SAME_MM));
}

/** Where a place at a height is seen in the picture from above, whose plane is the surface. */
export function seen([x, y], height, camera) {
  if (!camera || !height) return [x, y];
  const grow = camera[2] / (camera[2] - height);
  return [camera[0] + (x - camera[0]) * grow, camera[1] + (y - camera[1]) * grow];
}

/** The place at a height that is seen at a point of the picture from above. */
/** @param {number[]} at @param {number} height @param {any} camera */
export function meant([x, y], height, camera) {
  if (!camera || !height) return [x, y];
  const shrink = (camera[2] - height) / camera[2];
  return [camera[0] + (x - camera[0]) * shrink, camera[1] + (y - camera[1]) * shrink];
}

/** A place pulled to a point, an edge, an axis or another point's row or column; else to half a millimetre. */
/** @param {any} place @param {any} reach */
export function snap(place, { reach, size: [w, h], points, on }) {
  const round = (v) => Math.round(v / STEP_MM) * STEP_MM;
  if (!on) return { place: place.map(round), caught: null };
  const near = Math.min(reach, MOST_SNAP_MM);
  const point = nearest(points, (p) => distance(p, place), near);
  if (point) return { place: [...point], caught: point };
  const pull = (value, known) => nearest(known, (k) => Math.abs(k - value), near);
  const x = pull(place[0], [0, w, w / 2]) ?? pull(place[0], points.map((p) => p[0]));
  const y = pull(place[1], [0, h, h / 2]) ?? pull(place[1], points.map((p) => p[1]));
  const found = [x ?? round(place[0]), y ?? round(place[1])];
  return { place: found, caught: x === null && y === null ? null : found };
}

function nearest(all, far, most) {
  let best = null;
  let least = most;
  for (const one of all) {
    const apart = far(one);
    if (apart <= least) [best, least] = [one, apart];
  }
  return best;
}
