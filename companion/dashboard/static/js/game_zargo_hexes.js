// Zargo's hexes: their names, which are column and row, as the engine has them, and where two lie.

export function hexName(column, row) {
  return String(column + 1).padStart(2, "0") + String(row + 1).padStart(2, "0");
}

/** Column and row of a hex, from nothing on. */
export function hexAt(name) {
  return [Number(name.slice(0, 2)) - 1, Number(name.slice(2)) - 1];
}

/** Whether a step can be drawn as a line: not one over the map's edge. */
export function drawnBeside(map, one, other) {
  return !map.wraps.some((pair) => pair.includes(one) && pair.includes(other));
}
