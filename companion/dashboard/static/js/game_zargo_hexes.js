// Zargo's hexes: names, what lies beside what, and what a step costs. Names are column and row, as the engine has them.

export const FLYERS = ["winged", "falcon"];
const WOOD_COST = 2;
const BESIDE = { even: [[0, -1], [0, 1], [-1, -1], [-1, 0], [1, -1], [1, 0]], odd: [[0, -1], [0, 1], [-1, 0], [-1, 1], [1, 0], [1, 1]] };

export function hexName(column, row) {
  return String(column + 1).padStart(2, "0") + String(row + 1).padStart(2, "0");
}

/** Column and row of a hex, from nothing on. */
export function hexAt(name) {
  return [Number(name.slice(0, 2)) - 1, Number(name.slice(2)) - 1];
}

/** The letter of a hex's terrain; undefined beyond the map. */
export function terrain(map, name) {
  const [column, row] = hexAt(name);
  return map.terrain[row]?.[column];
}

export function continent(map, name) {
  const [column, row] = hexAt(name);
  return Number(map.continents[row]?.[column] ?? 0);
}

function across(pairs, name) {
  return pairs.filter((pair) => pair.includes(name)).map(([one, other]) => (one === name ? other : one));
}

/** The hexes beside one, those over the map's edge with them; every second column lies half a hex lower. */
export function beside(map, name) {
  const [column, row] = hexAt(name);
  const near = BESIDE[column % 2 ? "odd" : "even"].map(([c, r]) => [column + c, row + r])
    .filter(([c, r]) => c >= 0 && r >= 0 && c < map.columns && r < map.rows).map(([c, r]) => hexName(c, r));
  return [...new Set([...near, ...across(map.wraps, name)])];
}

/** Where a step may lead, over land and bridges. */
export function stepsFrom(map, name) {
  return [...new Set([...beside(map, name), ...across(map.bridges, name)])].filter((one) => terrain(map, one) !== "~");
}

/** Whether a step can be drawn as a line: not one over the map's edge. */
export function drawnBeside(map, one, other) {
  return !across(map.wraps, one).includes(other);
}

export function coastal(map, name) {
  return beside(map, name).some((one) => terrain(map, one) === "~");
}

/** What a way costs; who flies minds no wood. */
export function cost(map, path, kind) {
  return path.reduce((sum, name) => sum + (terrain(map, name) === "w" && !FLYERS.includes(kind) ? WOOD_COST : 1), 0);
}
