// Pucks, keys and team colours, drawn alike on the board and in the panels.

import { s } from "./dom.js";
import { roleName, t, teamName } from "./texts.js";

const LIGHT = "#fff8ea";
const DARK = "#14212a";
const READABLE = 4.6; // contrast of small text, WCAG AA with a little to spare

/** The role of a puck: as said, or by its number from the board's lists. */
export function roleOf(board, puck) {
  if (puck.role) return puck.role;
  const team = board.teams.find((one) => one.name === puck.team);
  if (team?.mercenaries.includes(puck.number)) return "mercenary";
  return team?.explorers.includes(puck.number) ? "explorer" : null;
}

export function puckLabel(board, puck) {
  const role = roleName(roleOf(board, puck));
  const values = { team: teamName(puck.team), role, number: puck.number ?? "" };
  return t("puck.label", values).trim();
}

/** A puck of radius r around the origin. Mercenaries carry a diamond, explorers a ring: told apart without colour. */
export function puckShape(board, puck, r = board.puck.diameter_mm / 2) {
  const { colour, first } = teamLook(board, puck.team);
  const plate = first ? LIGHT : DARK;
  const { ink } = readable(colour);
  const scale = r / 14;
  const digit = puck.number === null || puck.number === undefined ? "" : String(puck.number);
  const parts = [
    s("circle", { class: "puck-cast", cx: 1.6, cy: 2.6, r: 14 }),
    s("circle", { class: "puck-edge", r: 13, fill: colour, stroke: plate }),
  ];
  if (roleOf(board, puck) === "mercenary") {
    parts.push(s("path", { d: "M0-11.800 11.800 0 0 11.800-11.800 0z", fill: LIGHT }));
    parts.push(s("text", { class: "puck-digit small", fill: darker(colour) }, digit));
  } else {
    parts.push(s("circle", { class: "puck-ring", r: 10, stroke: ink }));
    parts.push(s("text", { class: "puck-digit", fill: ink }, digit));
  }
  return s("g", { transform: `scale(${scale})` }, ...parts);
}

/** A puck as a picture of its own, for panels. */
export function puckToken(board, puck) {
  const label = puckLabel(board, puck);
  return s("svg", { class: "token", viewBox: "-16 -16 32 33", role: "img", "aria-label": label }, puckShape(board, puck, 14));
}

/** The number in a pawn's name, as of one that lies nowhere; null where the board's pawns bear none. @param {string} pawn */
export function numberOf(pawn) {
  return Number(pawn.split("-").at(-1)) || null;
}

export const KEY_PATH = "M-1.500 0a4 4 0 1 0-8 0 4 4 0 0 0 8 0zM-1.500 0h11v4M5.500 0v3";

export function keyIcon() {
  return s("svg", { viewBox: "-11 -7 22 14", "aria-hidden": "true" }, s("path", { d: KEY_PATH }));
}

/** A team's colour, and whether it is the board's first: the first has light edges, the other dark ones. */
export function teamLook(board, name) {
  const at = board.teams.findIndex((team) => team.name === name);
  return { colour: board.teams[at]?.colour ?? "#7a7a7a", first: at <= 0 };
}

/** A fill near the colour and an ink that can be read on it. */
export function readable(colour) {
  let fill = parse(colour);
  if (contrast(fill, parse(DARK)) > contrast(fill, parse(LIGHT)) + 1.5) return { fill: hex(fill), ink: DARK };
  while (contrast(fill, parse(LIGHT)) < READABLE) fill = fill.map((v) => v * 0.95);
  return { fill: hex(fill), ink: LIGHT };
}

function darker(colour) {
  let fill = parse(colour);
  while (contrast(fill, parse(LIGHT)) < READABLE) fill = fill.map((v) => v * 0.93);
  return hex(fill);
}

function parse(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function hex(rgb) {
  return `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;
}

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** WCAG 2.2's relative luminance. */
function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
