// A shot on the board: which way each puck went, where they touched, in which order; drawn beside the film.

import { drawChart, viewBox } from "./chart.js";
import { s } from "./dom.js";
import { puckShape, readable, teamLook } from "./shapes.js";
import { decimal, t } from "./texts.js";

const FAINT = 0.45; // of pucks where they lay before

export function drawShot(board, { ways, touches, speed_mm_s: speed }) {
  const parts = ways.flatMap((way) => drawWay(board, way));
  const marks = touches.map(([x, y], n) => s("g", { class: "map-touch", transform: `translate(${x} ${y})` },
    s("circle", { r: 11 }), s("text", {}, String(n + 1))));
  const words = [t("map.touches", { count: touches.length }), speed ? t("map.speed", { value: decimal(speed / 1000, 1) }) : ""].filter(Boolean).join(", ");
  const over = s("svg", { class: "layer-pucks", viewBox: viewBox(board).join(" "), role: "img", "aria-label": words }, ...parts, ...marks);
  return [drawChart(board), over];
}

function drawWay(board, { team, number, flicked, points, rests }) {
  const colour = readable(teamLook(board, team).colour).fill;
  const line = s("polyline", { class: flicked ? "map-way flicked" : "map-way", points: points.map((p) => p.join(",")).join(" "), stroke: colour });
  const puck = ([x, y], opacity) => s("g", { transform: `translate(${x} ${y})`, opacity }, puckShape(board, { team, number }));
  return [puck(points[0], FAINT), line, ...(rests ? [puck(points.at(-1), 1)] : [])];
}
