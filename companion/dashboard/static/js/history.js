// History and statistics: a match's points over time, where pawns rested, went and touched, how fast; all to be saved.

import { Again, getJson, Refused } from "./api.js";
import { viewBox } from "./chart.js";
import { byId, h, redraw, replaceIfChanged, s } from "./dom.js";
import { attempt, tellWhy } from "./link.js";
import { savePicture } from "./picture.js";
import { untouched } from "./presses.js";
import { readable, teamLook } from "./shapes.js";
import { density, histogram, steps, ticks } from "./sums.js";
import { colon, decimal, nameOrSide, t, teamName, told } from "./texts.js";

const [WIDE, HIGH, LEFT, BOTTOM] = [480, 300, 48, 40];
const CELLS = 26; // of a heat map's side: 25 mm on the box's board, about a puck's width
const BIN_MM_S = 250;
const CALM_MS = 300; // entries that come together are shown together
const FEWEST = 5; // of points or shots that an axis shows: whole numbers on it
const NAME_PX = 15; // of letters in the list of names above a chart
const NAME_WEIGHT = 600;
const FACE = "sans-serif";
const NAME_LINE = 20;
const INK = "#12303d";
const SOFT = "#47616b";
const PAPER = "#fffaf0";
const SERIES = ["#b3261e", "#1f7a4d", "#17607f", "#8a5a12"];
// how each line is drawn, and shown before its name: to be told apart without colours, and where colours come again
const LINES = [["none", "—"], ["8 4", "- -"], ["2 4", "· · ·"], ["14 4 2 4", "— ·"], ["14 4 2 4 2 4", "— · ·"]];

export class History {
  constructor({ board }) {
    this.board = board;
    this.lastId = null;
    this.again = new Again();
    this.told = false; // that it fails
    this.matches = [];
    byId("history-empty").textContent = t("said.nothing");
    byId("which").addEventListener("change", () => this.draw());
  }

  show(score) {
    if (score.last_id === this.lastId) return;
    this.lastId = score.last_id;
    this.loadIn(CALM_MS);
  }

  /** Loads after a while, and again where line or server fails just then, which is told once; what is refused would be
   * so again. */
  loadIn(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      try {
        await this.load();
        this.again.wentWell();
        this.told = false;
      } catch (error) {
        if (!this.told) tellWhy(error);
        this.told = true;
        if (!(error instanceof Refused) || error.passes) this.loadIn(this.again.next());
      }
    }, ms);
  }

  async load() {
    const asked = ["statistics", "history", "ratings", "games"].map((what) => getJson(`/api/${what}`));
    const [{ matches }, { players }, ratings, { games }] = await Promise.all(asked);
    await untouched();
    const titles = new Map(games.map((game) => [game.name, told(game.title)]));
    this.matches = matches;
    byId("history-none").hidden = matches.length > 0;
    this.offer(matches.map((match) => [String(match.match), nameOf(match, titles)]).reverse());
    this.people(players, ratings.all ?? []);
    this.draw();
  }

  /** The matches to choose from; as they are where none has come, since somebody may be choosing.
   * @param {string[][]} matches */
  offer(matches) {
    const which = byId("which");
    const chosen = which.value;
    const options = [...matches, ["all", t("history.all")]];
    replaceIfChanged(which, JSON.stringify(options), () => options.map(([value, words]) => h("option", { value }, words)));
    if (options.some(([value]) => value === chosen)) which.value = chosen;
  }

  people(players, ratings) {
    const rated = new Map(ratings.map((one) => [one.name, one.ordinal]));
    const rows = players.map(({ name, plays, wins }) => [teamName(name), plays, wins, rated.has(name) ? decimal(rated.get(name), 1) : "–"]);
    byId("people").closest(".block").hidden = rows.length === 0;
    byId("people").tBodies[0].replaceChildren(...rows.map(row));
  }

  draw() {
    const which = byId("which").value;
    const matches = this.matches.filter((match) => which === "all" || String(match.match) === which);
    byId("report").hidden = which === "all" || matches.length === 0;
    byId("report").href = `/report/${which}`;
    const [one] = matches;
    const figures = [];
    if (matches.length === 1 && one.points.length) figures.push(figure(t(one.game === "zargo" ? "chart.cities" : "chart.points"), this.points(one)));
    const rests = matches.flatMap((match) => match.rests);
    if (rests.length) {
      figures.push(figure(t("chart.rests"), this.heat(rests.map(([x, y]) => [x, y]))));
      figures.push(figure(t("chart.ways"), this.ways(matches.flatMap((match) => match.ways))));
    }
    const touches = matches.flatMap((match) => match.touches);
    if (touches.length) figures.push(figure(t("chart.touches"), this.heat(touches)));
    const speeds = matches.flatMap((match) => match.speeds);
    if (speeds.length) figures.push(figure(t("chart.speeds"), speedChart(speeds.map((shot) => shot.mm_s))));
    redraw(byId("charts"), ...figures);
    byId("history-empty").hidden = matches.length === 0 || figures.length > 0;
    this.pucks(matches);
  }

  pucks(matches) {
    const sums = new Map();
    for (const match of matches) {
      for (const [puck, count] of Object.entries(match.pucks)) {
        const sum = sums.get(puck) ?? { shots: 0, touches: 0, doors: 0, exits: 0 };
        for (const kind of Object.keys(sum)) sum[kind] += count[kind];
        sums.set(puck, sum);
      }
    }
    const rows = [...sums].map(([puck, { shots, touches, doors, exits }]) => row([pawnName(puck), shots, touches, doors, exits]));
    byId("pucks").closest(".block").hidden = rows.length === 0;
    byId("pucks").tBodies[0].replaceChildren(...rows);
  }

  heat(places) {
    const [w, high] = this.board.size;
    const rows = Math.max(1, Math.round((CELLS * high) / w));
    const grid = density(places, this.board.size, CELLS, rows);
    const most = Math.max(...grid.flat());
    const cells = grid.flatMap((line, y) => line.map((value, x) => value > 0 ? s("rect", { x: (x * w) / CELLS, y: (y * high) / rows, width: w / CELLS + 0.5, height: high / rows + 0.5, fill: "#c8342a", "fill-opacity": (0.12 + 0.8 * (value / most)).toFixed(3) }) : null)).filter(Boolean);
    return this.onBoard(...cells);
  }

  points(match) {
    const teams = Object.keys(match.players).length ? Object.keys(match.players) : Object.keys(match.points.at(-1).points);
    const end = match.points.at(-1).minutes;
    const most = Math.max(FEWEST, ...match.points.flatMap(({ points }) => Object.values(points)));
    const frame = axes(ticks(Math.max(end, 1), 6), ticks(most, 5), t("chart.minutes"));
    const lines = teams.map((team, n) => {
      const points = steps(match.points, team, end).map(([x, y]) => `${frame.x(x).toFixed(1)},${frame.y(y).toFixed(1)}`).join(" ");
      return s("polyline", { points, fill: "none", stroke: this.colour(team, n), "stroke-width": 3, "stroke-dasharray": LINES[n % LINES.length][0] });
    });
    const names = teams.map((team, n) => {
      const who = whoPlays(match, team);
      const words = `${LINES[n % LINES.length][1]} ${who}`;
      return s("text", { x: LEFT, y: (n - teams.length) * NAME_LINE + NAME_PX, fill: this.colour(team, n), "font-size": fitting(words), "font-weight": NAME_WEIGHT }, words);
    });
    return sheet(teams.length * NAME_LINE, ...frame.parts, ...lines, ...names);
  }

  /** A side's own colour where the board has it, dark enough for paper; one of a row otherwise. */
  colour(team, n) {
    const known = this.board.teams.some((one) => one.name === team);
    return known ? readable(teamLook(this.board, team).colour).fill : SERIES[n % SERIES.length];
  }

  ways(ways) {
    return this.onBoard(...ways.map(({ team, points }) => s("polyline", { points: points.map((p) => p.join(",")).join(" "), fill: "none", stroke: readable(teamLook(this.board, team).colour).fill, "stroke-width": 3, "stroke-opacity": 0.55, "stroke-linejoin": "round" })));
  }

  onBoard(...parts) {
    const [w, high] = this.board.size;
    const land = this.board.zones.filter((zone) => zone.circle && ["island", "base_camp"].includes(zone.kind))
      .map(({ circle: [cx, cy, r] }) => s("circle", { cx, cy, r, fill: "#e9cf98", stroke: "#a8946a" }));
    const walls = this.board.obstacles.map(({ polygon }) => s("polygon", { points: polygon.map((p) => p.join(",")).join(" "), fill: "#8d8f8c" }));
    return s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: viewBox(this.board).join(" "), role: "img" },
      s("rect", { x: 0, y: 0, width: w, height: high, fill: "#bfe0ea", stroke: SOFT, "stroke-width": 2 }), ...land, ...walls, ...parts);
  }
}

/** A match in the list: its number, game, day and players. */
function nameOf(match, titles) {
  const names = Object.keys(match.players).map((team) => whoPlays(match, team)).join(", ");
  const when = new Date(match.begun).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
  return `${match.match} · ${titles.get(match.game) ?? match.game} · ${when}${names ? ` · ${names}` : ""}`;
}

function whoPlays(match, team) {
  return [match.players[team] || team].flat().map((name) => nameOrSide(name, team)).join(", ");
}

function pawnName(puck) {
  const [team, number] = puck.split(/-(?=[^-]*$)/);
  return number ? `${teamName(team)} ${number}` : puck;
}

function row(cells) {
  return h("tr", {}, ...cells.map((cell, n) => h(n ? "td" : "th", n ? {} : { scope: "row" }, String(cell))));
}

function figure(title, picture) {
  picture.setAttribute("aria-label", title);
  const save = h("button", { class: "button button-quiet", type: "button", "data-save": title, "aria-label": `${t("chart.save")}${colon()}${title}` }, t("chart.save"));
  save.addEventListener("click", () => attempt(() => savePicture(picture, title)));
  return h("figure", { class: "chart" }, h("figcaption", {}, title), picture, save);
}

function speedChart(speeds) {
  const bins = histogram(speeds, BIN_MM_S);
  const frame = axes(ticks((bins.length * BIN_MM_S) / 1000, 6), ticks(Math.max(FEWEST, ...bins), 5), t("chart.metres"));
  const bars = bins.map((count, n) => {
    const [from, to] = [frame.x((n * BIN_MM_S) / 1000), frame.x(((n + 1) * BIN_MM_S) / 1000)];
    return s("rect", { x: from + 1, y: frame.y(count), width: Math.max(to - from - 2, 1), height: HIGH - BOTTOM - frame.y(count), fill: "#17607f" });
  });
  return sheet(0, ...frame.parts, ...bars);
}

function axes(xs, ys, label) {
  const x = (value) => LEFT + ((WIDE - LEFT - 12) * value) / xs.at(-1);
  const y = (value) => HIGH - BOTTOM - ((HIGH - BOTTOM - 12) * value) / ys.at(-1);
  const text = (attributes, words) => s("text", { "font-size": 13, fill: SOFT, ...attributes }, words);
  const parts = [
    ...ys.map((value) => s("line", { x1: LEFT, x2: WIDE - 12, y1: y(value), y2: y(value), stroke: "#d8c7a3" })),
    ...ys.map((value) => text({ x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, decimal(value, 2))),
    ...xs.map((value) => text({ x: x(value), y: HIGH - BOTTOM + 16, "text-anchor": "middle" }, decimal(value, 2))),
    text({ x: WIDE - 12, y: HIGH - 6, "text-anchor": "end", fill: INK }, label),
  ];
  return { x, y, parts };
}

/** How large a line above a chart is written, so that all of it is in the picture: letters are wide or narrow. */
function fitting(words) {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `${NAME_WEIGHT} ${NAME_PX}px ${FACE}`;
  return NAME_PX * Math.min(1, (WIDE - LEFT - 12) / pen.measureText(words).width);
}

/** A chart; above it as much room as its names need. */
function sheet(above, ...parts) {
  return s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 ${-above} ${WIDE} ${HIGH + above}`, role: "img", "font-family": FACE },
    s("rect", { y: -above, width: WIDE, height: HIGH + above, fill: PAPER }), ...parts);
}
