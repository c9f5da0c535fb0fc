// Zargo: the calendar, the cities, the hex map; tap own counters, then where they go or whom they attack, and say so.

import { Refused, getJson } from "./api.js";
import { h, redraw } from "./dom.js";
import { drawMap, sample, tappable } from "./game_zargo_map.js";
import { drawPanel } from "./game_zargo_panel.js";
import { chosenOr, cityNow, composes, counterOf, fresh, kept, keyOf, kindNow, kindsLeft, order, question, settled } from "./game_zargo_plan.js";
import { describe, term } from "./games_terms.js";
import { keepPlan, keptPlan } from "./games_kept.js";
import { attempt } from "./link.js";
import { firstTap, untouched } from "./presses.js";
import { colon, counted, nameAndSide, teamName } from "./texts.js";

let plan = null; // what has been chosen
let told = {}; // what can be chosen next, as the companion says
let table = null; // the place, the view and the tools to draw with
let listed = null; // the hex whose counters are listed, as they are too small for a finger
let answered = null; // the view on which the last action was told and accepted: what it shows is over
let turn = Promise.resolve(); // taps are answered one after the other, each by what is offered then

export function draw(place, view, tools) {
  table = { place, view, ...tools };
  const before = plan;
  const key = keyOf(view, tools.seat);
  plan = kept(before?.key === key ? before : keptPlan(key), view, tools.seat);
  if (plan.key !== before?.key) listed = null;
  if (plan.chosen.length) {
    inTurn(() => settle(plan));
    return;
  }
  told = view.offers ?? {};
  paint();
}

/** Does something when all that was tapped before is answered. */
function inTurn(job) {
  turn = turn.then(async () => { await attempt(job); });
}

/** Takes a plan as far as it stands, with what can be chosen next. */
async function settle(next) {
  const answer = next.chosen.length ? await ask(next) : table.view.offers ?? {};
  await untouched();
  if (plan.key !== next.key) return; // another turn has begun meanwhile, and is drawn
  plan = settled(next, answer);
  told = answer;
  paint();
}

async function ask(next) {
  const asked = new URLSearchParams({ plan: JSON.stringify(question(next)) });
  try {
    return await getJson(`/api/seat/${table.seat}/offers?${asked}`);
  } catch (error) {
    if (error instanceof Refused) return {}; // the match or the seat is another's now: what there is will be drawn
    throw error;
  }
}

/** A tap on the map that changes the plan; the second half of a double tap would undo what the first has done. */
function tapped(make) {
  if (firstTap()) change(make);
}

/** Changes the plan by what is made when its turn comes: null where that is not offered any more. */
function change(make) {
  inTurn(async () => {
    const fields = make();
    if (fields) await settle({ ...plan, refused: "", ...fields });
  });
}

/** A tap that tells the companion an action; refused, it says why beside what was chosen. */
function send(make) {
  if (!firstTap()) return;
  inTurn(async () => {
    const before = table.view;
    const made = before === answered ? null : make(); // a second "next" would end a phase that nobody has seen yet
    const sent = plan;
    const hear = (why) => {
      if (plan.key !== sent.key || !composes(table.view)) return false;
      plan = { ...plan, refused: why, announced: false };
      untouched().then(paint);
      return true;
    };
    if (!made || !(await table.act(made.type, made.data, hear))) return;
    answered = before;
    if (plan.key !== sent.key) return;
    plan = fresh(table.view, table.seat); // what is drawn stays until the news come: a tap meanwhile asks anew
    keepPlan(plan.key, plan);
    told = table.view.offers ?? {};
  });
}

function paint() {
  const { place, view, w, seat, moves } = table;
  const scrolled = place.querySelector(".map-box")?.scrollLeft ?? 0;
  const read = place.querySelector(".plan")?.scrollTop ?? 0;
  const map = drawMap(view, { hexes: hexes(), things: things(), chosen: chosen(), path: way(), placed: placed(), open, listed }, w);
  const tools = { seat, w, pile: pile(), change, choose, clear: () => change(() => fresh(view, seat)), send: () => send(() => order(plan, told, table.view, seat)) };
  redraw(place, calendar(view, w), map, drawPanel(plan, told, view, tools), actions(moves, w), cities(view, w));
  map.scrollLeft = scrolled;
  place.querySelector(".plan")?.scrollTo(0, read); // what was tapped stays under the finger
  plan.announced = true;
  keepPlan(plan.key, { ...plan, refused: "" });
}

/** Lists who stands on a hex, or no longer. */
function open(hex) {
  if (!firstTap()) return;
  listed = listed === hex ? null : hex;
  paint();
}

/** The list of who stands on a hex: each does what a tap on it would do. */
function pile() {
  const taps = things();
  const choose = (name) => () => {
    listed = null;
    taps.get(name)();
  };
  return { hex: listed, items: listed ? tappable(table.view, listed, taps).map((name) => ({ name, tap: choose(name) })) : [] };
}

function choose(name) {
  change(() => chosenOr(plan, told, table.view, table.seat, name));
}

function calendar(view, w) {
  const months = Array.from({ length: view.months }, (_, n) => h("li", { class: n < view.round ? "gone" : "" }, String(n + 1)));
  const turn = view.turn ? ` · ${w.turn}${colon()}${teamName(view.turn)} (${term(view.phase)})` : ` · ${term(view.phase)}`;
  return h("div", {}, h("p", {}, `${w.month} ${view.round} / ${view.months}${turn}`), h("ol", { class: "calendar" }, ...months));
}

/** The counter whose hex is asked for: the one that was chosen, or the first that must fall back. */
function picked() {
  return plan.chosen[0] ?? table.moves.find((move) => move.type === "retreat")?.data.counter;
}

function chosen() {
  const { view, seat } = table;
  const city = ["cities", "garrisons"].includes(view.phase) && composes(view) ? cityNow(plan, view, seat) : null;
  return [...plan.chosen, ...view.retreats.map((one) => one.counter), plan.target, city].filter(Boolean);
}

function way() {
  const from = counterOf(table.view, plan.chosen[0])?.hex;
  return from && plan.path.length ? [from, ...plan.path] : [];
}

function placed() {
  return Object.fromEntries(Object.entries(plan.places).map(([name, hex]) => [hex, name.split("-")[1]]));
}

/** What a tap on each hex does: a step, a place for a city or a counter, or where a counter falls back or returns to. */
function hexes() {
  const { view, seat, moves } = table;
  const found = new Map();
  for (const move of moves) {
    if (["retreat", "reappear"].includes(move.type) && move.data.counter === picked()) found.set(move.data.hex, () => send(() => move));
  }
  for (const hex of told.steps ?? []) {
    found.set(hex, () => tapped(() => (told.steps?.includes(hex) ? { path: [...plan.path, hex], target: null } : null)));
  }
  const end = plan.path.at(-1);
  if (end) found.set(end, () => tapped(() => ({ path: plan.path.slice(0, -1), target: null })));
  const city = view.phase === "cities" ? cityNow(plan, view, seat) : null;
  for (const hex of told.hexes ?? []) {
    if (city) found.set(hex, () => send(() => ({ type: "city", data: { city, hex } })));
    if (view.phase === "rest") found.set(hex, () => tapped(() => ({ places: toggled(hex) })));
  }
  return found;
}

/** The counters to be placed with one more on a hex, or without the one that was to stand there. */
function toggled(hex) {
  const { view, seat } = table;
  const there = Object.keys(plan.places).find((name) => plan.places[name] === hex);
  if (there) return Object.fromEntries(Object.entries(plan.places).filter(([name]) => name !== there));
  const name = kindsLeft(plan, view, seat)[kindNow(plan, view, seat)]?.[0];
  return name ? { ...plan.places, [name]: hex } : plan.places;
}

/** What a tap on each counter or city does: it is chosen, or no longer; a target is named. */
function things() {
  const { view, seat, moves } = table;
  const found = new Map();
  for (const name of told.targets ?? []) {
    found.set(name, () => tapped(() => (told.targets?.includes(name) ? { target: plan.target === name ? null : name } : null)));
  }
  for (const name of told.own ?? []) found.set(name, () => { if (firstTap()) choose(name); });
  for (const one of view.cities.filter((city) => city.people === seat && ["cities", "garrisons"].includes(view.phase) && composes(view))) {
    const fill = () => tapped(() => ({ city: one.city, garrison: null }));
    found.set(one.city, fill);
    for (const inside of view.counters.filter((counter) => counter.hex === one.hex)) found.set(inside.counter, fill);
  }
  for (const { data } of moves.filter((one) => one.type === "retreat")) {
    found.set(data.counter, () => { if (firstTap()) { plan = { ...plan, chosen: [data.counter] }; paint(); } });
  }
  return found;
}

/** What needs no composing: the next phase, an alliance, a monk that vanishes. */
function actions(moves, w) {
  const plain = moves.filter((move) => ["ready", "place_rest", "next", "propose", "accept", "break"].includes(move.type)
    || (move.type === "vanish" && move.data.counter === plan.chosen[0]));
  const words = (move) => (move.type === "next" ? w.next : move.type === "ready" ? w.ready : describe(move));
  return h("div", { class: "games-do" }, ...plain.map((move) => h("button", { type: "button", "data-do": move.type, onclick: () => send(() => move) }, words(move))));
}

function cities(view, w) {
  const rows = view.players.map((player) => h("li", {}, sample(player.team), `${nameAndSide(player.name, player.team)}${colon()}${counted(player.points, w.cities)}`));
  return h("ul", {}, ...rows);
}
