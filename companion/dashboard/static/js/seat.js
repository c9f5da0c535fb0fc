// A player's own view: whose turn it is in large letters, one's own pawns, a tremble of the phone at one's turn.

import { byId, h, redraw, replaceIfChanged } from "./dom.js";
import { puckToken, readable, teamLook } from "./shapes.js";
import { nameAndSide, nameOrSide, t, teamName } from "./texts.js";

const TREMBLE_MS = [120, 80, 120];
const KEPT = "paleo.seat"; // at the machine itself, where no code binds to a seat

export class Seat {
  constructor({ board, me }) {
    this.board = board;
    this.bound = me.seat;
    this.team = me.seat ?? kept();
    this.wasMine = undefined;
    this.choices = null;
  }

  show(score) {
    this.score = score;
    const players = score.players ?? [];
    const paleo = score.game === "paleo" || score.game === null;
    byId("mine-games").hidden = paleo;
    const me = players.find((player) => player.team === this.team);
    byId("mine-choose").hidden = Boolean(this.bound && me) || !paleo || players.length === 0;
    this.offer(players);
    const mine = Boolean(me) && isMine(score, this.team);
    byId("mine-turn").textContent = words(score, me, players);
    byId("mine-turn").closest(".mine").dataset.mine = String(mine);
    if (me) this.colour();
    if (mine && this.wasMine === false) navigator.vibrate?.(TREMBLE_MS);
    this.wasMine = mine;
    const pawns = (score.pucks ?? []).filter((puck) => puck.team === this.team);
    replaceIfChanged(byId("mine-pawns"), JSON.stringify(pawns.map((puck) => [puck.puck, puck.number, puck.role])), () => pawns.map((puck) => puckToken(this.board, puck)));
  }

  /** Who one may be: drawn anew where names or sides are others; whoever goes by keys stays where they were. */
  offer(players) {
    const choices = JSON.stringify([players.map((player) => [player.team, player.name]), this.team]);
    if (choices === this.choices) return;
    this.choices = choices;
    redraw(byId("mine-choose"), ...players.map((player) => this.choice(player)));
  }

  colour() {
    const { fill, ink } = readable(teamLook(this.board, this.team).colour);
    const place = byId("mine-turn").closest(".mine");
    place.style.setProperty("--team", fill);
    place.style.setProperty("--team-ink", ink);
  }

  choice(player) {
    const name = nameAndSide(player.name || player.team, player.team);
    const button = h("button", { class: "button", type: "button", "aria-pressed": String(player.team === this.team) }, t("seat.i_am", { name }));
    button.addEventListener("click", () => {
      this.team = player.team;
      keep(player.team);
      this.show(this.score);
    });
    return button;
  }
}

/** A question for a side, or for both, comes before the turn. */
export function isMine(score, team) {
  if (score.question) return (score.question.team ?? team) === team;
  return score.phase === "playing" && !score.paused && score.turn === team;
}

function words(score, me, players) {
  if (score.winner) return score.winner === me?.team ? t("seat.won") : t("seat.over");
  if (!me) return t("seat.which");
  if (score.question && isMine(score, me.team)) return t("seat.answer");
  if (score.phase !== "playing") return t("seat.soon");
  if (score.paused) return t("seat.paused");
  if (score.turn === me.team) return t("seat.turn");
  const other = players.find((player) => player.team === score.turn);
  return t("seat.other", { name: other?.name ? nameOrSide(other.name, other.team) : teamName(score.turn ?? "") });
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(team) {
  try {
    localStorage.setItem(KEPT, team);
  } catch {
    // a private window keeps nothing
  }
}
