// Zargo's hex map: terrain, bridges, cities, counters, and the way that is being chosen.

import { h, s } from "./dom.js";
import { drawnBeside, hexAt, hexName } from "./game_zargo_hexes.js";
import { choiceTerm, term, thing } from "./games_terms.js";
import { colon, teamName } from "./texts.js";

const R = 22;
const COUNTER = { width: 22, height: 18 }; // one that stands alone
const GAP = 1; // between those that share a hex; they keep within it, so that they lie on no neighbour's
const [FROM, BELOW] = [-6.5, 25]; // below a city's sign: from where on, and how high
const REACH = 18; // around a counter that stands alone: as far as its hex goes
const SCALE = 1.34; // pixels a unit under a finger: a hex is 51 high, and each of two counters on it 24 wide and high
const PILE = 3; // from so many counters on, a hex is one thing to tap, and a list tells them apart
const TERRAIN = { "~": "sea", ".": "plain", "^": "mountain", w: "wood", o: "chasm" };
const MARKS = { dragons: [-1], winged: [1], monks: [-1, 1] }; // bars at the upper and the lower edge: colours say nothing to some
const MARKED = 16; // the height from which on there is room for them beside the letters
const TEAM_SIDE = { knights: 0, dragons: 1, winged: 2, monks: 3 };

/** hexes, things: what a tap does, by hex and by counter or city; chosen: the things that are; path: from the first hex
 * on; placed: kinds of counters by the hexes that they shall be placed on; open: lists who stands on a hex; listed: the hex
 * whose counters are. */
export function drawMap(view, { hexes, things, chosen, path, placed, open, listed }, w) {
  const { columns, rows, terrain, bridges } = view.map;
  const [width, height] = [R * (columns * 1.5 + 0.5), R * 1.732 * (rows + 0.5) + R];
  const svg = s("svg", { class: "play", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Zargo" });
  svg.style.setProperty("--least", `${width * SCALE}px`);
  const tappable = []; // drawn last, as their borders are the bold ones
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const name = hexName(column, row);
      const land = TERRAIN[terrain[row][column]];
      const step = path.lastIndexOf(name);
      const says = [`${w.hex} ${name}`, choiceTerm("terrain", land), ...on(view, name), ...(step > 0 ? [`${w.step} ${step}`] : []), ...(placed[name] ? [term(placed[name])] : [])].join(", ");
      const polygon = s("polygon", { class: `hex ${land}${hexes.has(name) ? " can" : ""}`, points: corners(middle(name)), "data-hex": name, ...button(hexes.get(name), says) }, s("title", {}, says));
      if (hexes.has(name)) tappable.push(polygon);
      else svg.append(polygon);
    }
  }
  svg.append(...tappable);
  for (const [one, other] of bridges) svg.append(line(one, other, { stroke: "var(--card)", "stroke-width": 5, "stroke-dasharray": "6 4" }));
  const standsOn = (hex) => view.counters.filter((one) => one.hex === hex);
  const cities = view.cities.filter((one) => one.hex);
  const piles = [...new Set(view.counters.map((one) => one.hex))].filter((hex) => standsOn(hex).length >= PILE);
  const under = (hex) => hexes.has(hex) || piles.includes(hex); // what a tap means that falls on what stands there
  for (const city of cities) svg.append(drawCity(city, standsOn(city.hex).length > 0, things.get(city.city), chosen.includes(city.city), under(city.hex)));
  for (const counter of view.counters) {
    const stack = standsOn(counter.hex);
    const inside = cities.some((one) => one.hex === counter.hex);
    const where = standing(stack.indexOf(counter), stack.length, inside);
    svg.append(drawCounter(counter, where, things.get(counter.counter), chosen.includes(counter.counter), under(counter.hex)));
  }
  for (const hex of piles.filter((one) => !hexes.has(one))) svg.append(...drawPile(view, hex, things, open, listed, w));
  svg.append(...drawWay(view.map, path), ...Object.entries(placed).map(([name, kind]) => drawPlaced(name, kind)));
  return h("div", { class: "map-box", tabindex: -1 }, svg);
}

/** Counters and the city on a hex that can be tapped. */
export function tappable(view, hex, things) {
  const there = [...view.cities.filter((one) => one.hex === hex).map((one) => one.city), ...view.counters.filter((one) => one.hex === hex).map((one) => one.counter)];
  return there.filter((name) => things.has(name));
}

/** A hex whose counters are too small for a finger: does what they all do, or lists them. */
function drawPile(view, hex, things, open, listed, w) {
  const taps = new Set(tappable(view, hex, things).map((name) => things.get(name)));
  if (!taps.size) return [];
  const [alone] = taps.size === 1 ? taps : [() => open(hex)];
  const says = [`${w.hex} ${hex}`, ...on(view, hex)].join(", ");
  return [s("polygon", { class: "reach", points: corners(middle(hex)), "data-pile": hex, ...button(alone, says), "aria-expanded": taps.size === 1 ? null : hex === listed }, s("title", {}, says))];
}

function middle(name) {
  const [column, row] = hexAt(name);
  return [R + column * R * 1.5, R + row * R * 1.732 + (column % 2 ? R * 0.866 : 0)];
}

/** @param {number[]} at */
function corners([x, y]) {
  return Array.from({ length: 6 }, (_, n) => [x + R * Math.cos((n * Math.PI) / 3), y + R * Math.sin((n * Math.PI) / 3)])
    .map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
}

function line(one, other, look) {
  const [[x1, y1], [x2, y2]] = [middle(one), middle(other)];
  return s("line", { x1, y1, x2, y2, ...look, "pointer-events": "none" });
}

/** Who stands on a hex, in words. */
function on(view, name) {
  const cities = view.cities.filter((one) => one.hex === name).map((one) => thing(one.city));
  return [...cities, ...view.counters.filter((one) => one.hex === name).map((one) => thing(one.counter))];
}

/** What makes an element one that can be tapped, or pressed by a key; nothing where a tap does nothing. */
function button(tap, says, pressed) {
  if (!tap) return {};
  const onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap(); }
  };
  return { role: "button", tabindex: 0, "aria-label": says, "aria-pressed": pressed, onclick: tap, onkeydown };
}

/** What is no button is still heard of: who stands where. */
function shown(says) {
  return { role: "img", "aria-label": says };
}

/** Where one of several counters stands on its hex, from its middle, and how large: beside each other, in a city below
 * its sign, from three on in two rows. */
function standing(n, count, inside) {
  if (count === 1) return { ...COUNTER, ...(inside ? { height: BELOW } : {}), x: 0, y: inside ? FROM + BELOW / 2 : 0, alone: !inside };
  const rows = inside ? Math.ceil(count / 2) : 1;
  const columns = Math.ceil(count / rows);
  const width = (2 * 18 + GAP) / Math.max(columns, 2) - GAP;
  const height = inside ? (BELOW + GAP) / rows - GAP : COUNTER.height;
  const [row, column] = [Math.floor(n / columns), n % columns];
  const last = row === rows - 1 ? count - row * columns : columns; // of the last row there may be fewer
  return { width, height, alone: false,
    x: (column - (last - 1) / 2) * (width + GAP), y: inside ? FROM + height / 2 + row * (height + GAP) : 0 };
}

/** filled: whether counters are seen in it; its sign makes room for them. */
function drawCity(city, filled, tap, chosen, under) {
  const [x, y] = middle(city.hex);
  const [top, height] = filled ? [y - 18.5, 11] : [y - 14, 28];
  const side = TEAM_SIDE[city.owner];
  const says = `${thing(city.city)}${colon()}${city.owner ? teamName(city.owner) : "–"}, ${city.garrison ?? "?"}`;
  const look = `${side === undefined ? "cell" : `side${side}`}${chosen ? " can" : ""}`;
  return s("g", { "data-city": city.city, class: under ? "under" : null, ...(under || !tap ? shown(says) : button(tap, says, chosen)) }, s("title", {}, says),
    s("rect", { class: look, x: x - 14, y: top, width: 28, height }), mark(city.owner, x, top + height / 2, 28, height),
    s("text", { x, y: top + height / 2, class: "on", "font-size": filled ? 10 : 14 }, `⌂${city.garrison ?? "?"}`));
}

/** The second: where on its hex; under: its hex can be tapped, and is what a tap on the counter means. */
function drawCounter(counter, { x: aside, y: down, width, height, alone }, tap, chosen, under) {
  const [column, row] = middle(counter.hex);
  const [x, y] = [column + aside, row + down];
  const says = `${thing(counter.counter)} ${counter.combat}/${counter.movement}`;
  const sign = counter.vanished ? "…" : choiceTerm("sign", counter.kind);
  const look = `side${TEAM_SIDE[counter.team]}${chosen ? " can" : ""}${counter.hidden ? " hidden-side" : ""}`;
  return s("g", { "data-counter": counter.counter, class: under ? "under" : null, ...(under || !tap ? shown(says) : button(tap, says, chosen)) }, s("title", {}, says),
    alone && tap && !under ? s("circle", { class: "reach", cx: x, cy: y, r: REACH }) : null,
    s("rect", { class: look, x: x - width / 2, y: y - height / 2, width, height, rx: 4 }), mark(counter.team, x, y, width, height),
    s("text", { x, y, class: "on", "font-size": width < COUNTER.width ? 10 : 11 }, sign));
}

/** What tells a people's counters and cities apart from others', beside their colour. */
function mark(team, x, y, width, height) {
  const bars = height < MARKED ? [] : MARKS[team] ?? [];
  const [from, long] = [x - width / 2 + 4, width - 8];
  return bars.length ? s("path", { class: "mark", d: bars.map((edge) => `M${from} ${y + edge * (height / 2 - 2.5)}h${long}`).join("") }) : null;
}

/** How a people's counters look, beside its name. */
export function sample(team) {
  const { width, height } = COUNTER;
  return s("svg", { class: "tile", viewBox: `0 0 ${width} ${width}`, "aria-hidden": "true" },
    s("rect", { class: `side${TEAM_SIDE[team]}`, y: (width - height) / 2, width, height, rx: 4 }), mark(team, width / 2, width / 2, width, height));
}

/** The way as a line, with the number of each step. */
function drawWay(map, path) {
  const lines = path.slice(1).map((name, n) => [path[n], name]).filter(([one, other]) => drawnBeside(map, one, other))
    .map(([one, other]) => line(one, other, { class: "way" }));
  const steps = path.slice(1).flatMap((name, n) => {
    const [x, y] = middle(name);
    return [s("circle", { class: "step", cx: x + 9, cy: y - 10, r: 8 }), s("text", { class: "on", x: x + 9, y: y - 10, "font-size": 11 }, String(n + 1))];
  });
  return [...lines, ...steps];
}

function drawPlaced(name, kind) {
  const [x, y] = middle(name);
  return s("g", { class: "under" }, s("rect", { class: "placed", x: x - 11, y: y - 9, width: 22, height: 18, rx: 4 }),
    s("text", { x, y, class: "ink", "font-size": 11 }, choiceTerm("sign", kind)));
}
