// Paleo kept by taps: both camps, what hands are to do, the open question, and a shot told by tapping pawns.

import { command } from "./api.js";
import { h, redraw } from "./dom.js";
import { attemptOnce } from "./link.js";
import { follow, reefDesk } from "./reefs_by_hand.js";
import { numberOf, puckToken, teamLook } from "./shapes.js";
import { askToTell } from "./tell.js";
import { colon, doorBearing, nameOrSide, t, teamName, told } from "./texts.js";

const BETWEEN_ROUNDS = ["placing", "round_over"];

let told_at = null; // the entry that was drawn last: whose reef is next is chosen anew once something was told

export function draw(place, view, { w, board }) {
  const parts = [head(view, w), sides(view, w, board)];
  if (view.todo.length) parts.push(todo(view, w, board));
  parts.push(asked(view, w));
  const reefs = view.kept_by === "taps" && BETWEEN_ROUNDS.includes(view.phase);
  if (reefs && told_at !== view.last_id) follow(view);
  told_at = view.last_id;
  if (reefs) parts.push(reefDesk(view, { w, board }, () => draw(place, view, { w, board })));
  redraw(place, ...parts.filter(Boolean));
}

function head(view, w) {
  const side = view.players.find((player) => player.team === view.turn);
  const who = side ? whoPlays(side, w) : "";
  return h("p", { class: "paleo-turn" }, t("phase.playing", { round: view.round }), who ? ` · ${w.turn}${colon()}${who}` : "", view.paused ? ` · ${w.paused}` : "");
}

/** A side with its players by name; alone where they have none but that. */
function whoPlays({ team, plays }, w) {
  const names = plays.map((name) => nameOrSide(name, team)).filter((name) => name !== teamName(team));
  return names.length ? `${teamName(team)} (${names.join(` ${w.or} `)})` : teamName(team);
}

function sides(view, w, board) {
  return h("div", { class: "paleo-sides" }, ...view.players.map((player) => {
    const keys = player.keys.map((door) => doorBearing(door, view.doors.find((one) => one.name === door)?.team ?? "")).join(", ") || "–";
    const side = h("section", { "data-side": player.team, "data-turn": String(player.team === view.turn) },
      h("h2", { class: "minor" }, `${teamName(player.team)} · ${player.points}/${view.points_to_win}`),
      h("p", {}, `${w.pawns}${colon()}${player.pawns_on_board} · ${w.keys}${colon()}${keys}`),
      h("p", {}, `${w.captured}${colon()}`, player.captured.length ? null : "–", ...player.captured.map((pawn) => puckToken(board, pawn))));
    side.style.setProperty("--team", teamLook(board, player.team).colour);
    return side;
  }));
}

function todo(view, w, board) {
  return h("ul", { class: "paleo-todo" }, ...view.todo.map((job) => {
    return h("li", {}, puckToken(board, { puck: job.puck, team: job.team, number: numberOf(job.puck) }), ` ${job.do === "remove" ? w.lift : w.to_circle}`);
  }));
}

function asked(view, w) {
  if (view.question) {
    const { id, text, choices } = view.question;
    const answer = (choice) => button(told(choice.text), () => command("answer", { question: id, choice: choice.value }), "answer");
    return h("div", {}, h("h2", { role: "alert" }, told(text)), h("div", { class: "games-do" }, ...choices.map(answer)));
  }
  if (BETWEEN_ROUNDS.includes(view.phase)) {
    const begins = view.players.map(({ team }) => button(teamName(team), () => command("start_round", { begins: team }), "begin"));
    return h("div", {}, h("h2", {}, w.who_begins), h("div", { class: "games-do" }, ...begins));
  }
  if (view.phase !== "playing" || view.kept_by !== "taps") return h("p", {}, told(view.last));
  const tell = h("button", { type: "button", class: "main", "data-do": "tell" }, w.tell_shot);
  tell.addEventListener("click", () => askToTell({}, (facts, seen) => command("shot_by_hand", { ...facts, seen }), true));
  return h("div", { class: "games-do" }, tell, h("p", { class: "grow" }, view.last ? told(view.last) : w.tell_how));
}

function button(label, action, does) {
  return h("button", { type: "button", "data-do": does, onclick: () => attemptOnce(action) }, label);
}
