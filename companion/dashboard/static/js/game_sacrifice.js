// Sacrifice's board: tap a piece, then where it goes; points, walls, graveyards and forced choices.

import { h, redraw, s } from "./dom.js";
import { choiceTerm, owner, term, thing } from "./games_terms.js";
import { firstTap } from "./presses.js";
import { colon, counted, told } from "./texts.js";

const SIZE = 56;
const RIM = 1.5; // half of a bold border: within its square no neighbour is drawn over it
const TAP_PX = 45; // of a square on a phone: what a finger needs
const LETTERS = "abcdefghijklmnop";
const SIGNS = { taker: "♛", emissary: "✉", immortal: "∞", fanatic: "⚔", builder: "⌂", martyr: "✚" };
const sign = (kind) => SIGNS[kind] ?? term(kind)[0].toUpperCase(); // animals by their letter in the page's language
let picked = null;

export function draw(place, view, { w, moves, act }) {
  const { columns, rows } = view.board;
  const svg = s("svg", { class: "play", viewBox: `0 0 ${columns * SIZE} ${rows * SIZE}`, role: "group", "aria-label": "Sacrifice" });
  svg.style.setProperty("--least", `${columns * TAP_PX}px`);
  const box = h("div", { class: "map-box", tabindex: -1 }, svg); // scrolled by itself: words and buttons stay in sight
  const scrolled = place.querySelector(".map-box")?.scrollLeft ?? 0;
  letGo(moves);
  const again = () => draw(place, view, { w, moves, act });
  const onto = goals(moves);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) svg.append(square(view, moves, onto, column, row, act, again));
  }
  for (const wall of view.walls) svg.append(drawWall(wall));
  redraw(place, head(view, w), box, choices(view, moves, w, act), graveyards(view, w));
  box.scrollLeft = scrolled;
}

/** Of what was picked only that stays which can still be done: somebody else may have acted, or undone, meanwhile. */
function letGo(moves) {
  const legal = new Set(moves.map((move) => JSON.stringify(move)));
  chooseAmong = chooseAmong.filter((move) => legal.has(JSON.stringify(move)));
  if (!moves.some((move) => move.type === "move" && move.data.piece === picked)) picked = null;
}

/** The chosen piece's moves by the square that they lead to. */
function goals(moves) {
  const found = {};
  for (const move of moves) {
    if (move.type === "move" && move.data.piece === picked) (found[move.data.path.at(-1)] ??= []).push(move);
  }
  return found;
}

function square(view, moves, onto, column, row, act, again) {
  const name = LETTERS[column] + (row + 1);
  const [x, y] = [column * SIZE, row * SIZE];
  const piece = view.pieces.find((one) => one.square === name);
  const minerals = view.minerals.filter((one) => one.square === name);
  const zone = view.board.zones[name][0];
  const cell = s("rect", { class: `cell zone-${zone}`, x, y, width: SIZE, height: SIZE });
  const parts = [cell];
  let label = name;
  if (piece) {
    const side = view.players.findIndex((player) => player.team === piece.team);
    parts.push(s("circle", { class: `side${side}`, cx: x + SIZE / 2, cy: y + SIZE / 2, r: 20 }));
    parts.push(s("text", { x: x + SIZE / 2, y: y + SIZE / 2, class: "on", "font-size": 20 }, sign(piece.kind)));
    label += `, ${thing(piece.piece)}`;
  }
  minerals.forEach((mineral, n) => {
    const side = view.players.findIndex((player) => player.team === mineral.team);
    parts.push(s("rect", { class: `side${side}`, x: x + 3 + n * 14, y: y + SIZE - 15, width: 12, height: 12, stroke: "var(--ink)" }));
    label += `, ${thing(mineral.piece)}`;
  });
  const there = onto[name] ?? [];
  const own = piece && moves.some((move) => move.type === "move" && move.data.piece === piece.piece);
  if (there.length || (piece && piece.piece === picked)) {
    cell.classList.add("can");
    for (const [attribute, value] of Object.entries({ x: x + RIM, y: y + RIM, width: SIZE - 2 * RIM, height: SIZE - 2 * RIM })) cell.setAttribute(attribute, String(value));
  }
  if (!there.length && !own) {
    const seen = label === name ? {} : { role: "img", "aria-label": label }; // who stands where, for those who hear it
    return s("g", seen, s("title", {}, label), ...parts);
  }
  const tap = () => {
    if (!firstTap()) return;
    if (there.length) {
      const [move] = there; // the rest, with a mineral or at a run, is offered below
      const back = piece?.piece === picked; // where it would come back to: offered, and let go by one more tap
      if (there.length === 1 && !back) { picked = null; act(move.type, move.data); return; }
      if (back && chooseAmong.some((one) => one.data.path.at(-1) === name)) picked = null;
      chooseAmong = picked ? there : [];
    } else { picked = picked === piece.piece ? null : piece.piece; chooseAmong = []; }
    again();
  };
  const pressed = own ? piece.piece === picked : null;
  return s("g", { role: "button", tabindex: 0, "aria-label": label, "aria-pressed": pressed, "data-square": name, onclick: tap, onkeydown: enter(tap) }, ...parts);
}

let chooseAmong = [];

function choices(view, moves, w, act) {
  const button = (move, label) =>
    h("button", { type: "button", "data-do": move.type, onclick: () => { picked = null; chooseAmong = []; act(move.type, move.data); } }, label);
  const ways = chooseAmong.filter((move) => move.data.piece === picked).map((move) => {
    const { mineral, take, drop, run, put } = move.data;
    const handed = [["take", take], ["drop", drop]].filter(([, where]) => where).map(([what, where]) => `${choiceTerm("mineral", what)} ${where}`);
    const how = [mineral && !drop ? w.carry : "", ...handed, run ? w.run : "", put ?? ""].filter(Boolean).join(" ");
    return button(move, `${thing(move.data.piece, false)} → ${move.data.path.at(-1)} ${how}`);
  });
  const forced = moves.filter((move) => ["choose", "immortal"].includes(move.type))
    .map((move) => button(move, move.data.piece ? thing(move.data.piece) : term(`immortal_${move.data.choice}`)));
  const end = moves.filter((move) => move.type === "end").map((move) => button(move, w.end));
  const asked = view.question ? [h("p", {}, `${owner(view.question.team)}${colon()}${told(view.question.text)}`)] : [];
  return h("div", { class: "games-do" }, ...asked, ...forced, ...ways, ...end);
}

function head(view, w) {
  const walls = view.players.map((player) => `${player.name}${colon()}${counted(player.walls_left, w.walls)}`).join(" · ");
  return h("p", {}, `${counted(view.movement_points, w.movement)} · ${walls}`);
}

function graveyards(view, w) {
  const rows = view.players.map((player) => h("li", {}, `${w.graveyard} ${player.name}${colon()}${player.graveyard.map((one) => thing(one, false)).join(", ") || "–"}`));
  return h("ul", {}, ...rows);
}

function drawWall(name) {
  const [one, other] = name.split("-").map((square) => [LETTERS.indexOf(square[0]), Number(square.slice(1)) - 1]);
  const upright = one[1] === other[1];
  const [x, y] = upright ? [other[0] * SIZE, one[1] * SIZE] : [one[0] * SIZE, other[1] * SIZE];
  return s("line", { class: "line laid", x1: x, y1: y, x2: upright ? x : x + SIZE, y2: upright ? y + SIZE : y }, s("title", {}, name));
}

function enter(action) {
  return (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); action(); }
  };
}
