// Zargo: the calendar, the cities, the hex map; tap own counters, then where they go or whom they attack, and say so.

import { h, redraw } from "./dom.js";
import { drawMap } from "./game_zargo_map.js";
import { covered, drawPanel } from "./game_zargo_panel.js";
import { cityNow, composes, counterOf, fresh, kept, kindNow, kindsLeft, mayBeChosen, mode, nextSteps, ownLand, targets, together } from "./game_zargo_plan.js";
import { describe, term } from "./games_terms.js";
import { firstTap } from "./presses.js";
import { colon, counted, teamName } from "./texts.js";

let plan = null;

export function draw(place, view, { w, seat, moves, act }) {
  plan = kept(plan, view, seat);
  const again = () => draw(place, view, { w, seat, moves, act });
  const change = (fields) => { plan = { ...plan, refused: "", ...fields }; again(); };
  const clear = () => { plan = fresh(view, seat); again(); };
  const send = async ({ type, data }) => {
    const sent = plan;
    if (await act(type, data, (refused) => { if (plan === sent) change({ refused }); }) && plan.key === sent.key) plan = fresh(view, seat);
  };
  const table = { view, seat, moves, change, send };
  const scrolled = place.querySelector(".map-box")?.scrollLeft ?? 0;
  const map = drawMap(view, { hexes: hexes(table), things: things(table), chosen: chosen(view, seat), path: way(view), placed: placed(view) }, w);
  redraw(place, calendar(view, w), map, drawPanel(plan, view, { seat, w, change, send, clear }), actions(moves, w, send), cities(view, w));
  map.scrollLeft = scrolled;
}

function calendar(view, w) {
  const months = Array.from({ length: view.months }, (_, n) => h("li", { class: n < view.round ? "gone" : "" }, String(n + 1)));
  const turn = view.turn ? ` · ${w.turn}${colon()}${teamName(view.turn)} (${term(view.phase)})` : ` · ${term(view.phase)}`;
  return h("div", {}, h("p", {}, `${w.month} ${view.round} / ${view.months}${turn}`), h("ol", { class: "calendar" }, ...months));
}

/** The counter whose hex is asked for: the one that was chosen, or the first that must fall back. */
function picked(moves) {
  return plan.chosen[0] ?? moves.find((move) => move.type === "retreat")?.data.counter;
}

function chosen(view, seat) {
  const city = ["cities", "garrisons"].includes(view.phase) && composes(view, seat) ? cityNow(plan, view, seat) : null;
  return [...plan.chosen, ...view.retreats.map((one) => one.counter), plan.target, city].filter(Boolean);
}

function way(view) {
  return plan.path.length ? [counterOf(view, plan.chosen[0]).hex, ...plan.path] : [];
}

function placed(view) {
  return Object.fromEntries(Object.entries(plan.places).map(([name, hex]) => [hex, name.split("-")[1]]));
}

/** What a tap on each hex does: a step, a place for a city or a counter, or where a counter falls back or returns to. */
function hexes({ view, seat, moves, change, send }) {
  const found = new Map();
  const put = (name, tap) => found.set(name, () => { if (firstTap()) tap(); });
  for (const move of moves) {
    if (["retreat", "reappear"].includes(move.type) && move.data.counter === picked(moves)) found.set(move.data.hex, () => send(move));
  }
  if (!composes(view, seat)) return found;
  for (const name of nextSteps(plan, view, seat)) put(name, () => change({ path: [...plan.path, name], target: null }));
  const end = plan.path.at(-1);
  if (end) put(end, () => change({ path: plan.path.slice(0, -1), target: null }));
  if (view.phase === "cities" && cityNow(plan, view, seat)) {
    for (const hex of ownLand(view, seat)) found.set(hex, () => send({ type: "city", data: { city: cityNow(plan, view, seat), hex } }));
  }
  if (view.phase === "rest") for (const hex of ownLand(view, seat)) put(hex, () => change({ places: toggled(view, seat, hex) }));
  return found;
}

/** The counters to be placed with one more on a hex, or without the one that was to stand there. */
function toggled(view, seat, hex) {
  const there = Object.keys(plan.places).find((name) => plan.places[name] === hex);
  if (there) return Object.fromEntries(Object.entries(plan.places).filter(([name]) => name !== there));
  const name = kindsLeft(plan, view, seat)[kindNow(plan, view, seat)]?.[0];
  return name ? { ...plan.places, [name]: hex } : plan.places;
}

/** What a tap on each counter or city does: it is chosen, or no longer; a target is named. */
function things({ view, seat, moves, change }) {
  const found = new Map();
  const put = (name, tap) => found.set(name, () => { if (firstTap()) tap(); });
  for (const name of targets(plan, view, seat)) put(name, () => change({ target: plan.target === name ? null : name }));
  for (const one of view.counters.filter((counter) => mayBeChosen(view, seat, counter))) put(one.counter, () => change(choose(view, seat, one.counter)));
  for (const one of view.cities.filter((city) => city.people === seat && ["cities", "garrisons"].includes(view.phase) && composes(view, seat))) {
    put(one.city, () => change({ city: one.city, garrison: null }));
    for (const inside of view.counters.filter((counter) => counter.hex === one.hex)) put(inside.counter, () => change({ city: one.city, garrison: null }));
  }
  for (const move of moves.filter((one) => one.type === "retreat")) put(move.data.counter, () => change({ chosen: [move.data.counter] }));
  return found;
}

/** The plan with a counter chosen, beside those that can act with it, or with it no longer chosen. */
function choose(view, seat, name) {
  if (plan.chosen.includes(name)) {
    const left = plan.chosen.filter((one) => one !== name);
    return left.length ? { chosen: left } : fresh(view, seat);
  }
  const charges = counterOf(view, name).acted !== counterOf(view, plan.chosen[0])?.acted;
  if (plan.chosen.length && together(plan, view) && !charges && fits(view, name)) return { chosen: [...plan.chosen, name] };
  return { ...fresh(view, seat), chosen: [name], leave: covered(view, name) };
}

/** Whether one more counter can take part in what those chosen do: in the movements only Dragons act together. */
function fits(view, name) {
  return view.phase !== "moves" || (mode(plan, view) === "shoot" && counterOf(view, name).kind === "dragon");
}

/** What needs no composing: the next phase, an alliance, a monk that vanishes. */
function actions(moves, w, send) {
  const plain = moves.filter((move) => ["ready", "place_rest", "next", "propose", "accept", "break"].includes(move.type)
    || (move.type === "vanish" && move.data.counter === plan.chosen[0]));
  const words = (move) => (move.type === "next" ? w.next : move.type === "ready" ? w.ready : describe(move));
  return h("div", { class: "games-do" }, ...plain.map((move) => h("button", { type: "button", "data-do": move.type, onclick: () => send(move) }, words(move))));
}

function cities(view, w) {
  const rows = view.players.map((player) => h("li", {}, `${player.name} (${teamName(player.team)})${colon()}${counted(player.points, w.cities)}`));
  return h("ul", {}, ...rows);
}
