// Armadöra's grid: tap a square for a Warrior, a line between two squares for a palisade.

import { h, redraw, s } from "./dom.js";
import { describe, owner, term } from "./games_terms.js";
import { firstTap } from "./presses.js";
import { colon, counted } from "./texts.js";

const SIZE = 60;
const INNER = 8;
const THICK = 14; // of a palisade
const REACH = 30; // of a line that can be tapped: half a square, so that a finger finds both
const TAP_PX = 48; // of a square on a phone: 24 for it, and 24 for the lines beside it
const COLUMNS = "abcdefgh";
const ON_SQUARE = ["warrior", "extra_warrior", "reinforce", "look", "arrow", "reveal"];
const TILES = { // the third and the fourth side's: a hexagon and a shield
  2: [[6, 30], [16, 11], [44, 11], [54, 30], [44, 49], [16, 49]],
  3: [[11, 9], [49, 9], [49, 38], [30, 54], [11, 38]],
};
const AREAS = 6; // tints that tell territories apart
const narrow = matchMedia("(max-width: 27rem)"); // less than the long side's squares need, and what is beside the board
let chosen = null; // the square that was tapped; its actions are offered below the board
let drawAgain = () => {};
narrow.addEventListener("change", () => drawAgain());

export function draw(place, view, { w, moves, act }) {
  const board = { ...view.board, turned: narrow.matches };
  const [across, down] = board.turned ? [board.rows, board.columns] : [board.columns, board.rows];
  const svg = s("svg", { class: "play", viewBox: `0 0 ${across * SIZE} ${down * SIZE}`, role: "group", "aria-label": "Armadöra" });
  svg.style.setProperty("--least", `${across * TAP_PX}px`);
  const again = () => draw(place, view, { w, moves, act });
  drawAgain = () => { if (svg.isConnected) again(); };
  for (const [column, row] of inOrder(board)) svg.append(square(view, moves, board, column, row, again));
  for (const line of lines(board)) svg.append(palisade(view, moves, line, act));
  redraw(place, svg, h("p", {}, counted(view.palisades_left, w.palisades_left)), below(view, moves, w, act), sides(view, w), areas(view, w));
}

/** Where a square's corner lies: on a phone the board has a quarter turn, as whoever sits at its short side sees it. */
function corner({ rows, turned }, column, row) {
  return turned ? [(rows - 1 - row) * SIZE, column * SIZE] : [column * SIZE, row * SIZE];
}

/** All squares as they are read: line by line from the top. */
function inOrder(board) {
  const all = Array.from({ length: board.columns * board.rows }, (_, n) => [n % board.columns, Math.floor(n / board.columns)]);
  const read = (square) => {
    const [x, y] = corner(board, square[0], square[1]);
    return [y, x];
  };
  return all.sort((one, other) => read(one)[0] - read(other)[0] || read(one)[1] - read(other)[1]);
}

function square(view, moves, board, column, row, again) {
  const name = COLUMNS[column] + (row + 1);
  const [x, y] = corner(board, column, row);
  const can = moves.some((move) => ON_SQUARE.includes(move.type) && move.data.square === name);
  const area = view.territories.length > 1 ? view.territories.findIndex((one) => one.squares.includes(name)) : -1;
  const cell = s("rect", { class: "cell", x, y, width: SIZE, height: SIZE, style: null });
  if (area >= 0) cell.classList.add(`area${area % AREAS}`);
  const parts = [cell];
  const warrior = view.warriors[name];
  const middle = [x + SIZE / 2, y + SIZE / 2];
  let label = name;
  if (view.mines[name]) {
    parts.push(s("circle", { class: "gold", cx: middle[0], cy: middle[1], r: 20 }), text(middle, String(view.mines[name]), "ink"));
    label += `, ${view.mines[name]}`;
  } else if (warrior) {
    const side = view.players.findIndex((player) => player.team === warrior.team);
    const marks = "↓".repeat(warrior.arrows) + (warrior.reinforced ? "+" : "");
    parts.push(tile(side, x, y));
    parts.push(text(middle, `${warrior.value ?? "?"}${marks}`, "on"));
    label += `, ${owner(warrior.team)} ${warrior.value ?? "?"}`;
  }
  if (chosen === name) cell.classList.add("can");
  if (!can) return s("g", label === name ? {} : { role: "img", "aria-label": label }, s("title", {}, label), ...parts);
  const tap = () => { if (firstTap()) { chosen = chosen === name ? null : name; again(); } };
  return s("g", { role: "button", tabindex: 0, "aria-label": label, "data-square": name, onclick: tap, onkeydown: enter(tap) }, ...parts);
}

/** A Warrior's tile: each side has a shape of its own, as its colour says nothing to some. @param {number} side */
function tile(side, x, y) {
  const points = TILES[side]?.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ");
  if (points) return s("polygon", { class: `side${side}`, points, "stroke-linejoin": "round" });
  const [left, rx] = side ? [8, 18] : [12, 6]; // a pill, or nearly a square
  return s("rect", { class: `side${side}`, x: x + left, y: y + 12, width: SIZE - 2 * left, height: SIZE - 24, rx });
}

/** What can be done on the chosen square, and what needs none. */
function below(view, moves, w, act) {
  const there = moves.filter((move) => ON_SQUARE.includes(move.type) && move.data.square === chosen);
  const once = moves.filter((move) => ["done", "pass", "skip"].includes(move.type));
  const button = (move, label) => h("button", { type: "button", "data-do": move.type, onclick: () => { chosen = null; act(move.type, move.data); } }, label);
  const marks = there.map((move) => button(move, describe(move)));
  return h("div", { class: "games-do" }, ...marks, ...once.map((move) => button(move, term(move.type))));
}

function* lines(board) {
  for (const [column, row] of inOrder(board)) {
    for (const [next, under] of [[column + 1, row], [column, row + 1]]) {
      if (next >= board.columns || under >= board.rows) continue;
      const [[x1, y1], [x2, y2]] = [corner(board, column, row), corner(board, next, under)];
      const [x, y] = [Math.max(x1, x2), Math.max(y1, y2)];
      const name = `${COLUMNS[column]}${row + 1}-${COLUMNS[next]}${under + 1}`;
      if (y1 === y2) yield { name, x: x - THICK / 2, y: y + INNER, width: THICK, height: SIZE - 2 * INNER };
      else yield { name, x: x + INNER, y: y - THICK / 2, width: SIZE - 2 * INNER, height: THICK };
    }
  }
}

function palisade(view, moves, { name, ...place }, act) {
  if (view.palisades.includes(name)) return s("rect", { class: "line laid", ...place }, s("title", {}, name));
  const move = moves.find((one) => one.type === "palisade" && one.data.edge === name) ?? moves.find((one) => one.data.edge === name);
  if (!move) return s("rect", { class: "line", "pointer-events": "none", ...place });
  const tap = () => act(move.type, move.data);
  const wide = (REACH - THICK) / 2;
  const [side, size] = place.width === THICK ? ["x", "width"] : ["y", "height"];
  place[side] -= wide;
  place[size] += 2 * wide;
  return s("rect", { class: "line free", role: "button", tabindex: 0, "aria-label": name, "data-edge": name, onclick: tap, onkeydown: enter(tap), ...place });
}

/** Everybody's character, Warriors still behind the screen, powers, and the own stock by value. */
function sides(view, w) {
  const rows = view.players.map((player, side) => {
    const stock = player.stock ? ` (${player.stock.map((count, n) => `${count}×${n + 1}`).join(" ")})` : "";
    const parts = [`${player.name}, ${term(player.character)}`, `${counted(player.warriors_left, w.warriors)}${stock}`];
    if (player.powers) parts.push(counted(player.powers, w.powers));
    if (player.reinforcement) parts.push(w.reinforcement);
    if (player.passed) parts.push(w.has_passed);
    const shape = s("svg", { class: "tile", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, tile(side, 0, 0));
    return h("li", {}, shape, parts.join(" · "));
  });
  return h("ul", {}, ...rows);
}

function areas(view, w) {
  if (view.territories.length < 2) return h("span", {});
  const rows = view.territories.map((area) => {
    const shares = area.shares ? Object.entries(area.shares).map(([who, gold]) => `${who.split("+").map(owner).join(" + ")} ${gold}`).join(", ") || term(area.how) : w.hidden;
    return h("li", {}, `${w.territory} ${area.squares[0]}… (${area.squares.length}) · ${area.gold} ${w.gold}${colon()}${shares}`);
  });
  return h("ul", {}, ...rows);
}

/** @param {number[]} at */
function text([x, y], words, kind) {
  return s("text", { x, y, class: kind, "font-size": 20 }, words);
}

function enter(action) {
  return (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); action(); }
  };
}
