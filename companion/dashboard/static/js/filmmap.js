// What was seen of a shot, drawn over its film: each puck's way so far, touches and doors from their moment on.

import { s } from "./dom.js";
import { readable, teamLook } from "./shapes.js";
import { decimal, t } from "./texts.js";

const FRESH_S = 0.12; // a touch or a door that has just happened stands out for so long

/** An overlay for a film: `at(time)` draws it as it is at that moment of the source.
 * @param {any} board @param {any} drawn */
export function filmMap(board, drawn) {
  const [w, h] = drawn.size;
  const ways = drawn.paths.map((path) => way(board, path));
  const touches = drawn.touches.map((touch, n) => mark("film-touch", touch, s("circle", { r: 9 }), s("text", {}, String(n + 1))));
  const doors = drawn.doors.map((door) => doorMark(door));
  const words = t("map.touches", { count: drawn.touches.length });
  const svg = s("svg", { class: "film-map", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": words },
    ...ways.flatMap((one) => one.lines), ...doors.map((one) => one.group), ...touches.map((one) => one.group));
  const at = (time) => {
    for (const one of ways) one.sofar.setAttribute("points", points(upTo(one.path.points, time)));
    for (const { group, moment } of [...touches, ...doors]) {
      group.setAttribute("visibility", time >= moment ? "visible" : "hidden");
      group.dataset.fresh = String(time >= moment && time - moment < FRESH_S);
    }
  };
  return { svg, at };
}

function way(board, path) {
  const stroke = readable(teamLook(board, path.team).colour).fill;
  const whole = s("polyline", { class: "film-way-whole", points: points(path.points) });
  const sofar = s("polyline", { class: path.flicked ? "film-way flicked" : "film-way", stroke });
  return { path, sofar, lines: [whole, sofar] };
}

function mark(name, { t: moment, x, y }, ...parts) {
  return { moment, group: s("g", { class: name, transform: `translate(${x} ${y})`, visibility: "hidden" }, ...parts) };
}

/** A door's line, and how deep the puck lay behind it. */
function doorMark({ t: moment, x, y, line: [[ax, ay], [bx, by]], direction, depth_mm: depth }) {
  const words = direction === "in" ? t("film.in", { value: decimal(depth, 1) }) : t("film.out");
  const group = s("g", { class: "film-door", "data-direction": direction, visibility: "hidden" },
    s("line", { x1: ax, y1: ay, x2: bx, y2: by }), s("text", { x, y: y - 14 }, words));
  return { moment, group };
}

/** The part of a way that lies behind the puck at a moment, its end between two knots included. */
export function upTo(knots, time) {
  const past = knots.filter(([when]) => when <= time);
  const next = knots[past.length];
  if (!past.length || !next) return past;
  const [t0, x0, y0] = past[past.length - 1];
  const part = (time - t0) / (next[0] - t0);
  return [...past, [time, x0 + part * (next[1] - x0), y0 + part * (next[2] - y0)]];
}

function points(knots) {
  return knots.map(([, x, y]) => `${x},${y}`).join(" ");
}
