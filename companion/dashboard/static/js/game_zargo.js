// Zargo: the calendar, the cities, the hex map; tap an own counter for what it can do.

import { h, redraw, s } from "./dom.js";
import { describe, term, thing } from "./games_terms.js";
import { colon, counted, teamName } from "./texts.js";

const R = 22;
const STACKED = 13; // how far counters on one hex stand apart
const SCALE = 1.2; // pixels a unit on a phone: a hex is 45 high, what a finger needs
const TERRAIN = { "~": "sea", ".": "plain", "^": "mountain", w: "wood", o: "chasm" };
const TEAM_SIDE = { knights: 0, dragons: 1, winged: 2, monks: 3 };
let picked = null;

export function draw(place, view, { w, seat, moves, act }) {
  const again = () => draw(place, view, { w, seat, moves, act });
  redraw(place, calendar(view, w), map(view, seat, moves, act, again), actions(moves, w, act), cities(view, w));
}

function calendar(view, w) {
  const months = Array.from({ length: view.months }, (_, n) => h("li", { class: n < view.round ? "gone" : "" }, String(n + 1)));
  const turn = view.turn ? ` · ${w.turn}${colon()}${teamName(view.turn)} (${term(view.phase)})` : ` · ${term(view.phase)}`;
  return h("div", {}, h("p", {}, `${w.month} ${view.round} / ${view.months}${turn}`), h("ol", { class: "calendar" }, ...months));
}

function middle(column, row) {
  return [R + column * R * 1.5, R + row * R * 1.732 + (column % 2 ? R * 0.866 : 0)];
}

function hexName(column, row) {
  return String(column + 1).padStart(2, "0") + String(row + 1).padStart(2, "0");
}

function placeOf(name) {
  return middle(Number(name.slice(0, 2)) - 1, Number(name.slice(2)) - 1);
}

/** @param {number[]} at */
function corners([x, y]) {
  return Array.from({ length: 6 }, (_, n) => [x + R * Math.cos((n * Math.PI) / 3), y + R * Math.sin((n * Math.PI) / 3)])
    .map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
}

function map(view, seat, moves, act, again) {
  const { columns, rows, terrain, bridges } = view.map;
  const [width, height] = [R * (columns * 1.5 + 0.5), R * 1.732 * (rows + 0.5) + R];
  const svg = s("svg", { class: "play", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Zargo" });
  svg.style.setProperty("--least", `${width * SCALE}px`);
  const goals = new Map(moves.filter((move) => aboutPicked(move)).map((move) => [goal(move), move]));
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const name = hexName(column, row);
      const move = goals.get(name);
      const tap = () => { picked = null; act(move.type, move.data); };
      const attributes = move ? { role: "button", tabindex: 0, "aria-label": name, "data-hex": name, onclick: tap, onkeydown: enter(tap) } : {};
      svg.append(s("polygon", { class: `hex ${TERRAIN[terrain[row][column]]}${move ? " can" : ""}`, points: corners(middle(column, row)), ...attributes }, s("title", {}, name)));
    }
  }
  for (const [one, other] of bridges) {
    const [[x1, y1], [x2, y2]] = [placeOf(one), placeOf(other)];
    svg.append(s("line", { x1, y1, x2, y2, stroke: "var(--card)", "stroke-width": 5, "stroke-dasharray": "6 4" }));
  }
  for (const city of view.cities.filter((one) => one.hex)) svg.append(drawCity(city));
  for (const counter of view.counters) {
    const stack = view.counters.filter((one) => one.hex === counter.hex);
    const aside = (stack.indexOf(counter) - (stack.length - 1) / 2) * STACKED;
    svg.append(drawCounter(counter, aside, seat, again));
  }
  return svg;
}

function aboutPicked(move) {
  return picked !== null && (move.data.counter === picked) && goal(move) !== null;
}

function goal(move) {
  return move.data.hex ?? move.data.path?.at(-1) ?? null;
}

function drawCity(city) {
  const [x, y] = placeOf(city.hex);
  const side = TEAM_SIDE[city.owner];
  const label = `${thing(city.city)}${colon()}${city.owner ? teamName(city.owner) : "–"}, ${city.garrison ?? "?"}`;
  return s("g", {}, s("title", {}, label),
    s("rect", { class: side === undefined ? "cell" : `side${side}`, x: x - 14, y: y - 14, width: 28, height: 28 }),
    s("text", { x, y, class: "on", "font-size": 14 }, `⌂${city.garrison ?? "?"}`));
}

function drawCounter(counter, aside, seat, again) {
  const [middle_, top] = placeOf(counter.hex);
  const x = middle_ + aside; // those on one hex stand beside each other, so that each can be tapped
  const y = counter.hidden ? top + 17 : top; // a garrison stands below its city's sign
  const mine = counter.team === seat;
  const tap = () => { picked = picked === counter.counter ? null : counter.counter; again(); };
  const attributes = mine ? { role: "button", tabindex: 0, onclick: tap, onkeydown: enter(tap), "data-counter": counter.counter } : {};
  const sign = counter.vanished ? "…" : term(counter.kind).slice(0, 2);
  return s("g", { "aria-label": thing(counter.counter), ...attributes }, s("title", {}, `${thing(counter.counter)} ${counter.combat}/${counter.movement}`),
    s("rect", { class: `side${TEAM_SIDE[counter.team]}${picked === counter.counter ? " can" : ""}`, x: x - 11, y: y - 9, width: 22, height: 18, rx: 4, "fill-opacity": counter.hidden ? 0.6 : 1 }),
    s("text", { x, y, class: "on", "font-size": 11 }, sign));
}

/** What the picked counter can do beside moving, and what needs no counter. */
function actions(moves, w, act) {
  const about = moves.filter((move) => picked !== null && JSON.stringify(move.data).includes(`"${picked}"`) && move.type !== "move");
  const plain = moves.filter((move) => ["ready", "place_rest", "next", "propose", "accept", "break"].includes(move.type));
  const button = (move) => {
    const words = move.type === "next" ? w.next : move.type === "ready" ? w.ready : describe(move);
    return h("button", { type: "button", "data-do": move.type, onclick: () => { picked = null; act(move.type, move.data); } }, words);
  };
  return h("div", { class: "games-do" }, ...plain.map(button), ...(about.length ? [h("div", { class: "list" }, ...about.map(button))] : []));
}

function cities(view, w) {
  const rows = view.players.map((player) => h("li", {}, `${player.name} (${teamName(player.team)})${colon()}${counted(player.points, w.cities)}`));
  return h("ul", {}, ...rows);
}

function enter(action) {
  return (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); action(); }
  };
}
