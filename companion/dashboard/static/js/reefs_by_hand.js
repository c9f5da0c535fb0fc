// Reefs told by taps, where no camera sees them: tap the sea to place one, tap one to move, turn or take it away.

import { command } from "./api.js";
import { drawChart, drawReefs, viewBox } from "./chart.js";
import { h, s } from "./dom.js";
import { attempt } from "./link.js";
import { drawGaps } from "./reefs.js";
import { teamName, told } from "./texts.js";

const TURN_DEG = 15;
const HALF_TURN_DEG = 180; // a reef looks alike from both ends

/** What this screen is about to place: whose reef, which way it lies, and which of those on the board is picked. */
const hand = { team: null, angle: 0, picked: null };

export function reefDesk(view, { w, board }, redraw) {
  if (!board.reef) return null;
  if (hand.picked !== null && hand.picked >= view.reefs.length) hand.picked = null;
  if (!view.players.some((player) => player.team === hand.team)) hand.team = view.players[0].team;
  const desk = { view, w, board, redraw };
  return h("section", { class: "reef-desk", "aria-labelledby": "reef-desk-title" },
    h("h2", { id: "reef-desk-title" }, w.reefs), h("p", {}, w.reefs_by_hand), chart(desk), sides(desk), tools(desk), said(view));
}

function chart({ view, w, board, redraw }) {
  const drawn = drawReefs(board, view.reefs);
  drawn.forEach((reef, n) => {
    reef.setAttribute("data-reef", String(n));
    if (n === hand.picked) reef.append(s("circle", { class: "reef-picked", r: board.reef.length_mm * 0.62 }));
    reef.addEventListener("click", (event) => {
      event.stopPropagation();
      pick(view, hand.picked === n ? null : n);
      redraw();
    });
  });
  const svg = drawChart(board);
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", w.reefs_chart);
  svg.append(...drawn, ...drawGaps(view.reef_gaps));
  svg.addEventListener("click", (event) => put(view, ...at(event, svg, board)));
  return h("div", { class: "reef-chart" }, svg);
}

/** A tap as board millimetres, kept on the playing surface. */
function at(event, svg, board) {
  const box = svg.getBoundingClientRect();
  const [x, y, width, height] = viewBox(board);
  const spot = [x + ((event.clientX - box.left) / box.width) * width, y + ((event.clientY - box.top) / box.height) * height];
  return spot.map((mm, axis) => Math.round(Math.min(Math.max(mm, 0), board.size[axis])));
}

function pick(view, number) {
  hand.picked = number;
  if (number !== null) [hand.team, hand.angle] = [view.reefs[number].team, view.reefs[number].angle_deg];
}

function sides({ view, w, redraw }) {
  const choose = (team) => () => {
    [hand.team, hand.picked] = [team, null];
    redraw();
  };
  const count = (team) => view.reefs.filter((reef) => reef.team === team).length;
  return h("div", { class: "games-do", role: "group", "aria-label": w.reefs_whose }, ...view.players.map(({ team }) =>
    h("button", { type: "button", "data-reefs-of": team, "aria-pressed": String(team === hand.team), onclick: choose(team) }, `${teamName(team)} · ${count(team)}`)));
}

/** Turning, taking away, and the place in numbers for those who do not tap. */
function tools({ view, w, redraw }) {
  const reef = hand.picked === null ? null : view.reefs[hand.picked];
  const turn = (by) => () => {
    hand.angle = (hand.angle + by + HALF_TURN_DEG) % HALF_TURN_DEG;
    if (reef) put(view, reef.x_mm, reef.y_mm);
    else redraw();
  };
  const x = h("input", { type: "number", name: "reef-x", min: 0, step: 1, required: true, value: reef ? Math.round(reef.x_mm) : null });
  const y = h("input", { type: "number", name: "reef-y", min: 0, step: 1, required: true, value: reef ? Math.round(reef.y_mm) : null });
  const place = (event) => {
    event.preventDefault();
    put(view, Number(x.value), Number(y.value));
  };
  const away = () => tell(view.reefs.filter((_, n) => n !== hand.picked));
  return h("form", { class: "games-do", onsubmit: place },
    h("button", { type: "button", "data-turn-reef": "left", onclick: turn(-TURN_DEG), "aria-label": `${w.reef_turn} −${TURN_DEG}°` }, `−${TURN_DEG}°`),
    h("output", { class: "reef-angle" }, `${Math.round(hand.angle)}°`),
    h("button", { type: "button", "data-turn-reef": "right", onclick: turn(TURN_DEG), "aria-label": `${w.reef_turn} +${TURN_DEG}°` }, `+${TURN_DEG}°`),
    h("label", {}, "x mm ", x), h("label", {}, "y mm ", y),
    h("button", { type: "submit", "data-do": "put-reef" }, reef ? w.reef_move : w.reef_put),
    reef ? h("button", { type: "button", "data-do": "lift-reef", onclick: away }, w.reef_lift) : null);
}

/** Places a reef of the chosen side, or moves the one that is picked. */
function put(view, x_mm, y_mm) {
  const reef = { team: hand.team, x_mm, y_mm, angle_deg: hand.angle };
  return tell(hand.picked === null ? [...view.reefs, reef] : view.reefs.map((one, n) => (n === hand.picked ? reef : one)));
}

/** Tells all reefs; after one more, whoever is to place next is chosen by itself. */
async function tell(reefs) {
  if (!(await attempt(() => command("place_reefs", { reefs })))) return;
  hand.picked = null;
}

/** Whose turn it is to place, and what is amiss; nobody is kept from beginning. */
function said(view) {
  const lines = [...(view.reef_order ? [view.reef_order] : []), ...view.reef_notices];
  return h("ul", { class: "reef-notices", role: "status" }, ...lines.map((line) =>
    h("li", {}, told(line), ...(line.rules ?? []).map((rule) => h("a", { class: "rule", href: `/help#${rule}` }, ` ${rule}`)))));
}

/** The side that is to place next by the rules is the one that a tap places for. */
export function follow(view) {
  if (view.reef_order && hand.picked === null) hand.team = view.reef_order.team;
}
