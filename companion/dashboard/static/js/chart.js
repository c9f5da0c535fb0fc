// The board as a sea chart: what stays where it is. Millimetres of the board file, drawn once.

import { s } from "./dom.js";
import { KEY_PATH, teamLook } from "./shapes.js";
import { t } from "./texts.js";

const MARGIN = 4;
const SHOALS = [96, 62, 30]; // widths of the lighter water around an island, mm
const BEARINGS = 32; // rhumb lines of the chart
const WALL_CAST = 3;

/** [x, y, width, height] of the drawing, rim included. */
export function viewBox(board) {
  const edge = board.rim_mm + MARGIN;
  return [-edge, -edge, board.size[0] + 2 * edge, board.size[1] + 2 * edge];
}

export function drawChart(board) {
  const parts = [definitions(board), ...rim(board), s("g", { "clip-path": "url(#surface)" }, ...sea(board)), ...land(board)];
  return s("svg", { class: "layer-chart", viewBox: viewBox(board).join(" "), "aria-hidden": "true" }, ...parts);
}

/** Which keys lie in their sanctuaries, and which gates stand open. */
export function updateChart(chart, taken, open) {
  for (const key of chart.querySelectorAll(".key-place")) {
    key.setAttribute("visibility", taken.has(key.dataset.door) ? "hidden" : "visible");
  }
  for (const gate of chart.querySelectorAll(".gate")) gate.dataset.open = String(open);
}

/** Reefs that players placed. */
export function drawReefs(board, reefs) {
  if (!board.reef) return [];
  const { length_mm: length, width_mm: width } = board.reef;
  const box = { x: -length / 2, y: -width / 2, width: length, height: width, rx: 2 };
  return reefs.map((reef) =>
    s("g", { transform: `translate(${reef.x_mm} ${reef.y_mm})` },
      s("rect", { class: "cast", ...box, transform: `translate(2 3) rotate(${reef.angle_deg})` }),
      s("rect", { class: "wall", ...box, transform: `rotate(${reef.angle_deg})`, fill: wallColour(board, reef.team) })));
}

function definitions(board) {
  const [w, h] = board.size;
  const stop = (offset, name) => s("stop", { offset, class: name });
  return s("defs", {},
    s("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 }, stop(0, "stop-wood-light"), stop(1, "stop-wood")),
    s("radialGradient", { id: "sea", r: 0.75 }, stop(0.1, "stop-sea"), stop(1, "stop-deep")),
    s("radialGradient", { id: "sand" }, stop(0.45, "stop-sand"), stop(1, "stop-sand-deep")),
    s("pattern", { id: "swell", width: 74, height: 46, patternUnits: "userSpaceOnUse" },
      s("path", { class: "swell", d: "M6 12q6-5 12 0t12 0M44 35q6-5 12 0t12 0" })),
    s("clipPath", { id: "surface" }, s("rect", { width: w, height: h })));
}

function rim(board) {
  const [w, h] = board.size;
  const e = board.rim_mm;
  if (!e) return [];
  const lines = [0.25, 0.5, 0.72].map((at) => {
    const d = e * at;
    return s("rect", { class: "grain", x: -d, y: -d, width: w + 2 * d, height: h + 2 * d, rx: d * 0.6 });
  });
  const letter = (text, x, y) => s("text", { class: "rim-letter", x, y }, text);
  return [
    s("rect", { class: "rim", x: -e, y: -e, width: w + 2 * e, height: h + 2 * e, rx: e * 0.45 }), ...lines,
    s("rect", { class: "rim-lip", x: -3, y: -3, width: w + 6, height: h + 6, rx: 2 }),
    letter(t("chart.north"), w / 2, -e / 2), letter(t("chart.south"), w / 2, h + e / 2),
    letter(t("chart.west"), -e / 2, h / 2), letter(t("chart.east"), w + e / 2, h / 2),
  ];
}

function sea(board) {
  const [w, h] = board.size;
  const far = Math.hypot(w, h);
  const rhumbs = Array.from({ length: BEARINGS }, (_, i) => {
    const a = (2 * Math.PI * i) / BEARINGS;
    return s("line", { class: "rhumb", x1: w / 2, y1: h / 2, x2: w / 2 + far * Math.cos(a), y2: h / 2 + far * Math.sin(a) });
  });
  const coasts = board.zones.filter((zone) => ["island", "base_camp"].includes(zone.kind)).map(coast);
  const shoals = SHOALS.flatMap((width) => coasts.map((d) => s("path", { class: "shoal", d, "stroke-width": width })));
  const soundings = board.zones.filter((zone) => zone.kind === "island" && zone.circle)
    .map(({ circle: [x, y, r] }) => s("circle", { class: "sounding", cx: x, cy: y, r: r + SHOALS[0] / 2 + 3 }));
  const lines = board.zones.filter((zone) => zone.kind === "no_reef").map((zone) => s("path", { class: "no-reef", d: outline(zone) }));
  return [
    s("rect", { class: "sea", width: w, height: h }), s("rect", { width: w, height: h, fill: "url(#swell)" }),
    ...rhumbs, ...shoals, ...soundings, ...lines,
    ...board.zones.filter((zone) => zone.kind === "advanced_camp").map((zone) => s("path", { class: "advanced", d: outline(zone) })),
    s("rect", { class: "rim-edge", width: w, height: h }),
  ];
}

function land(board) {
  const islands = board.zones.filter((zone) => ["island", "base_camp"].includes(zone.kind)).flatMap((zone) => [
    s("path", { class: "island", d: coast(zone) }), ...grit(zone),
    zone.kind === "base_camp" ? s("path", { class: "camp-edge", d: outline(zone) }) : null,
  ]).filter(Boolean);
  const starts = board.teams.flatMap((team) => team.start_circles.map(([x, y]) =>
    s("circle", { class: "start", cx: x, cy: y, r: board.puck.diameter_mm / 2, stroke: team.colour })));
  const grounds = board.zones.filter((zone) => zone.kind === "sanctuary").flatMap((zone) => [
    s("path", { class: "sanctuary-ground", d: outline(zone) }),
    s("path", { class: "sanctuary", d: outline(zone), fill: teamLook(board, zone.team).colour }),
  ]);
  return [...islands, ...starts, ...grounds, ...board.doors.flatMap(door), ...board.gates.map(gate), ...walls(board)];
}

function door({ name, line: [[ax, ay], [bx, by]], inside: [x, y] }) {
  return [
    s("line", { class: "door", x1: ax, y1: ay, x2: bx, y2: by }),
    s("g", { class: "key-place", "data-door": name, transform: `translate(${x} ${y})` },
      s("circle", { class: "key-halo", r: 15 }), s("path", { class: "key-shape", d: KEY_PATH })),
  ];
}

function gate({ circle: [x, y, r] }) {
  const spokes = Array.from({ length: 8 }, (_, i) => {
    const a = (Math.PI * i) / 4 + Math.PI / 8;
    return s("line", { class: "gate-spoke", x1: 0.28 * r * Math.cos(a), y1: 0.28 * r * Math.sin(a), x2: 0.86 * r * Math.cos(a), y2: 0.86 * r * Math.sin(a) });
  });
  return s("g", { class: "gate", transform: `translate(${x} ${y})` },
    s("circle", { class: "gate-ring", r }), ...spokes, s("circle", { class: "gate-hub", r: 0.14 * r }));
}

function walls(board) {
  return board.obstacles.flatMap(({ polygon, team }) => {
    const d = closed(polygon);
    return [
      s("path", { class: "cast", d, transform: `translate(${WALL_CAST * 0.6} ${WALL_CAST})` }),
      s("path", { class: "wall", d, fill: wallColour(board, team) }),
    ];
  });
}

function wallColour(board, team) {
  return board.teams.find((one) => one.name === team)?.reef_colour ?? "#8d8f8c";
}

function outline(zone) {
  if (zone.polygon) return closed(zone.polygon);
  const [x, y, r] = zone.circle;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function closed(points) {
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}z`;
}

/** An island's coast: its circle, a little uneven, always in the same way. */
function coast(zone) {
  if (!zone.circle) return outline(zone);
  const [x, y, r] = zone.circle;
  const points = Array.from({ length: 96 }, (_, i) => {
    const a = (2 * Math.PI * i) / 96;
    const far = r * (1.03 + 0.022 * Math.sin(3 * a + x) + 0.016 * Math.sin(5 * a + y) + 0.008 * Math.sin(11 * a + x));
    return [(x + far * Math.cos(a)).toFixed(1), (y + far * Math.sin(a)).toFixed(1)];
  });
  return closed(points);
}

function grit({ circle }) {
  if (!circle) return [];
  const [x, y, r] = circle;
  return Array.from({ length: 34 }, (_, i) => {
    const far = r * 0.93 * Math.sqrt((i + 0.5) / 34);
    const a = i * 2.399963; // the golden angle spreads dots evenly
    return s("circle", { class: "grit", cx: (x + far * Math.cos(a)).toFixed(1), cy: (y + far * Math.sin(a)).toFixed(1), r: i % 3 ? 0.9 : 1.4 });
  });
}
