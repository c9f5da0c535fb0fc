// The board on the page: the chart, reefs, pucks; from the scoreboard, with live positions over it.

import { watched } from "./camera_note.js";
import { drawChart, drawReefs, updateChart, viewBox } from "./chart.js";
import { byId, h, replaceIfChanged, s } from "./dom.js";
import { PuckLayer } from "./glide.js";
import { drawGaps } from "./reefs.js";
import { t } from "./texts.js";

const HEAD_REM = 4.9; // the page's header, above the board on wide screens
const WIDEST = 0.58; // of the window, so that the score stays readable beside it

export class BoardView {
  constructor(stage, board) {
    this.board = board;
    this.stage = stage;
    this.chart = drawChart(board);
    this.reefs = s("g", {});
    this.chart.append(this.reefs);
    this.layer = new PuckLayer(board);
    this.note = h("p", { class: "stage-note", hidden: true });
    this.frame = h("div", { class: "board" }, this.chart, this.layer.svg, this.note);
    stage.append(this.frame);
    this.fit = this.fit.bind(this);
    addEventListener("resize", this.fit);
    this.fit();
  }

  show(score, live) {
    this.layer.show(placed(score, live));
    const reefs = score.reefs ?? [];
    const gaps = score.reef_gaps ?? [];
    replaceIfChanged(this.reefs, JSON.stringify([reefs, gaps]), () => [...drawReefs(this.board, reefs), ...drawGaps(gaps)]);
    const players = score.players ?? [];
    updateChart(this.chart, new Set(players.flatMap((player) => player.keys ?? [])), players.some((p) => holdsAll(this.board, p)));
    this.note.textContent = t("stage.searching");
    this.note.hidden = live?.state !== "searching" || score.camera?.state === "off" || !watched(score);
  }

  /** On wide screens the board takes the window's height, and the panels what is left. */
  fit() {
    const [, , w, h_] = viewBox(this.board);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const tall = (innerHeight - HEAD_REM * rem - (byId("camera-note")?.offsetHeight ?? 0)) * (w / h_);
    document.documentElement.style.setProperty("--stage-width", `${Math.round(Math.min(tall, innerWidth * WIDEST))}px`);
  }
}

/** A player who has every key of the other sides. */
function holdsAll(board, player) {
  const foreign = board.doors.filter((door) => door.team !== player.team);
  return foreign.length > 0 && foreign.every((door) => (player.keys ?? []).includes(door.name));
}

/** Where each puck is drawn: the journal's pucks, moved by what the camera sees now. */
export function placed(score, live) {
  const sights = (live?.pucks ?? []).map((puck) => ({ ...puck, puck: puck.pawn ?? puck.puck }));
  const seen = new Map(sights.map((puck) => [puck.puck, puck]));
  const known = (score.pucks ?? []).map((puck) => ({ ...puck, ...at(seen.get(puck.puck)) }));
  const ids = new Set(known.map((puck) => puck.puck));
  const extra = [...seen.values()].filter((puck) => !ids.has(puck.puck));
  return [...known, ...extra];
}

function at(puck) {
  return puck ? { x_mm: puck.x_mm, y_mm: puck.y_mm } : {};
}
