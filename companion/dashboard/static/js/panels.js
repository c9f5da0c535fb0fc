// Score, turn, keys, captured pucks, what just happened, questions, log: from the scoreboard alone.

import { attemptOnce } from "./link.js";
import { command } from "./api.js";
import { askToReplay } from "./replay.js";
import { askToTell } from "./tell.js";
import { byId, h, replaceIfChanged } from "./dom.js";
import { keyIcon, numberOf, puckToken, readable, teamLook } from "./shapes.js";
import { colon, doorBearing, doorPlace, t, teamName, told } from "./texts.js";

const POINTS_TO_WIN = 4; // P24, where the match does not say otherwise
const IN_A_LINE = 12; // letters of a name that there is room for beside the turn's tag

export function showPanels(board, score) {
  const sides = JSON.stringify([score.game, score.players, score.turn, score.winner, score.winners, score.phase]);
  replaceIfChanged(byId("scores"), sides, () => (score.players ?? []).map((player) => side(board, score, player)));
  setText(byId("phase"), phaseText(score));
  setText(byId("said"), told(score.last) || t("said.nothing"));
  showTodo(board, score);
  showAsk(score);
  showLog(score.log ?? [], score.ruled ?? []);
  showCorrect(score);
}

/** Whether this page's board, keys and captured pawns are those of the match that is on, or of the next one. */
export function isPaleo(score) {
  return [null, undefined, "paleo"].includes(score.game);
}

/** Whether a side has won, alone, with partners or allies, or by a victory that is shared. */
function hasWon({ winner, winners }, team) {
  return winners?.length ? winners.includes(team) : winner === team;
}

function side(board, score, player) {
  const { fill, ink } = readable(teamLook(board, player.team).colour);
  const wins = hasWon(score, player.team);
  const plays = score.turn === player.team && score.phase === "playing";
  const paleo = isPaleo(score);
  const team = teamName(player.team);
  const named = player.name && (!paleo || (player.name.toLowerCase() !== player.team && player.name !== team));
  const tag = wins ? t("side.winner") : plays ? turnTag(player) : named && paleo ? team : null;
  const element = h("article", { class: wins ? "side winner" : "side", "data-turn": String(plays || wins), "data-team": player.team },
    h("div", { class: (player.members ?? []).length > 1 ? "side-head many" : "side-head" }, h("h2", { class: "side-name" }, nameOf(named ? player.name : team)),
      tag ? h("p", { class: "side-tag" }, tag) : null),
    h("p", { class: "side-points" }, h("span", { class: "side-number" }, String(player.points)), " ",
      paleo ? h("span", { class: "side-of" }, t("side.of", { count: score.points_to_win ?? POINTS_TO_WIN })) : null),
    ...(paleo ? [keys(board, player), captured(board, player)] : []));
  element.style.setProperty("--team", fill);
  element.style.setProperty("--team-ink", ink);
  return element;
}

/** A name in a line, or a long one in two: of partners both are read. */
function nameOf(name) {
  return h("span", { class: name.length > IN_A_LINE ? "long" : null, title: name.length > IN_A_LINE ? name : null }, name);
}

/** Whose turn it is: of partners at one camp, which of them. */
function turnTag({ members = [], plays = [] }) {
  return members.length > 1 ? `${t("side.turn")}${colon()}${plays.join(" / ")}` : t("side.turn");
}

function keys(board, player) {
  const doors = board.doors.filter((door) => door.team !== player.team);
  const held = new Set(player.keys ?? []);
  const badges = doors.map((door) => {
    const place = doorPlace(door.name, door.team);
    const label = held.has(door.name) ? t("key.held", { place }) : t("key.missing", { place });
    return h("li", { class: "key", "data-held": String(held.has(door.name)) }, keyIcon(),
      h("span", { "aria-hidden": "true" }, doorBearing(door.name, door.team)), h("span", { class: "unseen" }, label));
  });
  return h("ul", { class: "side-row side-keys", "aria-label": t("side.keys") }, ...badges);
}

function captured(board, player) {
  const pucks = player.captured ?? [];
  const label = h("li", { class: "side-label" }, t("side.captured", { count: pucks.length }));
  return h("ul", { class: "side-row side-captured" }, label, ...pucks.map((puck) => h("li", {}, puckToken(board, puck))));
}

function phaseText(score) {
  const values = { round: score.round ?? 1, count: score.round ?? 1 };
  if (!isPaleo(score) && score.phase !== "match_over") return t("phase.other");
  if (score.paused) return t("phase.paused");
  if (score.phase === "playing") return t("phase.playing", values);
  if (score.phase === "placing") return t("phase.placing", values);
  if (score.phase === "round_over") return t("phase.round_over", values);
  return score.phase === "match_over" ? t("phase.match_over") : t("phase.lobby");
}

/** What hands are to do now: lift captured pawns, put returned ones on circles. */
function showTodo(board, score) {
  const jobs = score.todo ?? [];
  const place = byId("todo");
  place.hidden = jobs.length === 0;
  const pucks = [...(score.pucks ?? []), ...(score.players ?? []).flatMap((player) => player.captured ?? [])];
  replaceIfChanged(place, JSON.stringify(jobs), () => jobs.map(({ do: job, puck, team }) => {
    const known = pucks.find((one) => one.puck === puck) ?? { puck, team, number: numberOf(puck) };
    return h("li", {}, puckToken(board, known), h("span", {}, job === "remove" ? t("todo.remove") : t("todo.place")));
  }));
}

function showAsk(score) {
  const place = byId("ask");
  const content = asked(score);
  place.hidden = content === null;
  place.toggleAttribute("data-question", Boolean(score.question));
  const key = content === null ? "" : JSON.stringify([score.game, score.question?.id, score.question?.account, score.question?.choices, score.phase, score.round, score.reef_notices, score.reef_order]);
  replaceIfChanged(place, key, content ?? (() => []));
}

function asked(score) {
  if (!isPaleo(score) && score.phase !== "match_over") return byId("mine-games") ? null : () => toGames();
  if (score.question) return () => question(score.question, score.replays ?? []);
  if (score.phase === "placing" || score.phase === "round_over") return () => start(score);
  if (score.phase === "playing" && score.kept_by === "taps") return () => tellShot();
  return score.phase === "lobby" || score.phase === "match_over" ? () => begin(score) : null;
}

/** A game without a board on this page. */
function toGames() {
  const link = h("a", { class: "button button-main", href: "/games" }, t("ask.other"));
  return [h("div", { class: "ask-choices" }, link)];
}

/** Kept by taps: no camera tells the shots, so that whoever plays does. */
function tellShot() {
  const element = h("button", { class: "button button-main", type: "button", "data-does": "tell-shot" }, t("ask.tell_shot"));
  element.addEventListener("click", () => askToTell({}, (facts, seen) => command("shot_by_hand", { ...facts, seen }), true));
  return [h("div", { class: "ask-choices" }, element)];
}

function begin(score) {
  const again = score.phase === "match_over";
  const button = h("button", { class: "button button-main", type: "button", id: "begin" }, again ? t("begin.again") : t("begin.first"));
  button.addEventListener("click", () => document.dispatchEvent(new CustomEvent("ask-new-match")));
  return [h("h2", { class: "ask-text" }, again ? t("begin.over") : t("begin.none")), h("div", { class: "ask-choices" }, button)];
}

function question({ id, kind, text, account, choices, seen, why: reasons }, replays) {
  const buttons = choices.map((choice) => answerButton(told(choice.text), () => command("answer", { question: id, choice: choice.value })));
  if (kind === "review") buttons.push(tellButton(t("ask.tell"), seen, (facts) => command("answer", { question: id, choice: facts })));
  const entry = parseInt(id, 10);
  if (replays.includes(entry)) buttons.push(replayButton(entry, "button"));
  const why = reasons?.length ? h("p", { class: "ask-why" }, reasons.map(told).join(" ")) : null;
  const saw = account ? h("p", { class: "ask-saw" }, told(account)) : null;
  return [h("div", { role: "alert" }, h("h2", { class: "ask-text" }, told(text)), saw), h("div", { class: "ask-choices" }, ...buttons), why].filter(Boolean);
}

/** Opens the dialog in which players say what happened. */
function tellButton(label, seen, send, looks = "button") {
  const element = h("button", { class: looks, type: "button", "data-does": "tell" }, label);
  element.addEventListener("click", () => askToTell(seen, send));
  return element;
}

function start(score) {
  const teams = (score.players ?? []).map((player) => player.team);
  const begins = (team) => answerButton(teamName(team), () => command("start_round", { begins: team }));
  const lies = (team) => answerButton(teamName(team), () => command("as_it_lies", { turn: team, keys: held(score) }));
  return [
    h("h2", { class: "ask-text" }, t("start.who")),
    notices(score),
    h("div", { class: "ask-choices" }, ...teams.map(begins)),
    h("details", { class: "ask-more" }, h("summary", {}, t("start.lies")), h("p", {}, t("start.lies_who")),
      h("div", { class: "ask-choices" }, ...teams.map(lies))),
  ].filter(Boolean);
}

/** What the camera finds amiss with the reefs; nobody is kept from beginning. */
function notices(score) {
  const found = [...(score.reef_order ? [score.reef_order] : []), ...(score.reef_notices ?? [])];
  return found.length ? h("ul", { class: "ask-notices" }, ...found.map((one) => logLine(one))) : null;
}

function held(score) {
  return Object.fromEntries((score.players ?? []).map((player) => [player.team, player.keys ?? []]));
}

function answerButton(label, action) {
  const button = h("button", { class: "button", type: "button" }, label);
  button.addEventListener("click", async () => {
    const place = button.closest(".ask");
    if (place.ariaBusy) return;
    place.ariaBusy = "true";
    await attemptOnce(action);
    place.ariaBusy = null;
  });
  return button;
}

function showLog(log, ruled) {
  const place = byId("log");
  if (!place) return;
  const last = log.at(-1);
  const facts = new Map(ruled.slice(0, -1).map((shot) => [shot.id, shot.facts]));
  const offered = new Set();
  const line = (one) => {
    const first = !offered.has(one.id);
    offered.add(one.id);
    return logLine(one, first ? facts.get(one.id) : undefined);
  };
  const lines = () => (last ? [...log].reverse().map(line) : [h("li", { class: "log-empty" }, t("log.empty"))]);
  replaceIfChanged(place, `${log.length} ${last?.id} ${last?.said} ${last?.en} ${JSON.stringify(ruled)}`, lines);
}

/** @param {any} line @param {any} [facts] */
function logLine(line, facts) {
  const rules = (line.rules ?? []).map((rule) => h("a", { class: "rule", href: `/help#${rule}` }, rule));
  const correct = facts ? correctButton({ id: line.id, facts }, "log-correct") : null;
  return h("li", {}, h("span", {}, told(line), correct), h("span", { class: "rules" }, ...rules));
}

/** Under what just happened: the last shot can be told otherwise. */
function showCorrect(score) {
  const place = byId("otherwise");
  const shot = score.question ? undefined : score.ruled?.at(-1);
  place.hidden = shot === undefined;
  const filmed = shot !== undefined && (score.replays ?? []).includes(shot.id);
  const film = () => (filmed ? [replayButton(shot.id, "button button-quiet")] : []);
  replaceIfChanged(place, JSON.stringify([shot ?? null, filmed]), () => (shot ? [...film(), correctButton(shot, "button button-quiet")] : []));
}

function replayButton(entry, looks) {
  const element = h("button", { class: looks, type: "button", "data-does": "replay" }, t("replay.see"));
  element.addEventListener("click", () => askToReplay(entry));
  return element;
}

function correctButton({ id, facts }, looks) {
  return tellButton(t("said.otherwise"), facts, (told, seen) => command("correct", { of: id, facts: told, seen }), looks);
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
