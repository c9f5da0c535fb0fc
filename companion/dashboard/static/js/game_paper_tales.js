// Paper Tales: the phase, every kingdom with its score explained, the own cards to draft, lay and use.

import { h, redraw } from "./dom.js";
import { keepPlan, keptPlan } from "./games_kept.js";
import { owner, read, term, thing } from "./games_terms.js";
import { firstTap } from "./presses.js";
import { colon, counted, told } from "./texts.js";

const PHASES = ["recruit", "deploy", "choose", "war", "income", "build", "age"];
let plan = {}; // card -> front, back, keep, aside; what is being laid before it is sent
let planFor = "";
let kept = null; // the first card of a draft's pair at two players

export function draw(place, view, { w, seat, moves, act }) {
  const again = () => draw(place, view, { w, seat, moves, act });
  const me = view.players.find((player) => player.team === seat);
  const key = `${view.match_id}:${seat}:${view.round}:${view.phase}`;
  if (planFor !== key) { planFor = key; plan = { ...initialPlan(me), ...keptPlan(key) }; kept = null; }
  if (me?.own) plan = possible(plan, me);
  if (!me?.own?.packet.some((one) => one.card === kept)) kept = null; // the packet has been passed on
  const parts = [phases(view, w)];
  if (me?.own) parts.push(own(view, me, w, moves, act, again));
  parts.push(...view.players.map((player) => kingdom(player, w)));
  redraw(place, ...parts);
}

function initialPlan(me) {
  return Object.fromEntries((me?.units ?? []).map((unit) => [unit.card, unit.front ? "front" : "back"]));
}

/** A plan without the cards that are not in the hand or in play any more: an undo has put them elsewhere. */
function possible(plan, { units, own: { hand, pack } }) {
  const there = new Set([...units, ...hand].map((one) => one.card));
  const named = (name) => pack.some((one) => name.replace(/-\d+$/, "") === one.type);
  return Object.fromEntries(Object.entries(plan).filter(([name]) => there.has(name) || named(name)));
}

function phases(view, w) {
  const names = PHASES.flatMap((name) => [" · ", name === view.phase ? h("strong", { "aria-current": "step" }, term(name)) : term(name)]);
  return h("p", {}, `${w.round} ${view.round}/4`, ...names);
}

function card(one, w, attributes = {}) {
  const strength = one.strength_now ?? one.strength;
  return h(attributes.onclick ? "button" : "div", { class: "card", "data-card": one.card, ...attributes },
    h("strong", {}, told(one.name)), h("span", {}, `${one.cost} ${w.gold} · ${w.force} ${strength}${one.age ? ` · ${term("age_token")} ${one.age}` : ""}`),
    h("small", {}, told(one.text)));
}

function own(view, me, w, moves, act, again) {
  const box = h("div", {});
  const mine = me.own;
  if (mine.packet.length) box.append(draft(mine, view.players.length === 2, w, act, again));
  else if (view.phase === "deploy" && !me.ready) box.append(deployment(view, me, w, act, again));
  else box.append(simple(moves, w, act));
  if (mine.chosen.length) box.append(h("h2", { class: "minor" }, w.hand), h("div", { class: "cards" }, ...mine.chosen.map((one) => card(one, w))));
  return box;
}

/** One tap keeps a card; at two players, in pairs, the second one is discarded. Until everybody has chosen another choice
 * takes the place of the one before. */
function draft(mine, pairs, w, act, again) {
  const { choice } = mine;
  const choose = (data) => (data.card === choice?.card && data.discard === choice?.discard ? again() : act("keep", data));
  const tap = (one) => () => {
    if (!firstTap()) return;
    if (!pairs) choose({ card: one.card });
    else if (kept === null || kept === one.card) { kept = kept === null ? one.card : null; again(); }
    else {
      const [card_, discard] = [kept, one.card];
      kept = null;
      choose({ card: card_, discard });
    }
  };
  const title = pairs && kept !== null ? `${w.keep}${colon()}${thing(kept)}. ${w.discard_which}` : choice ? chosen(choice, w) : w.packet;
  const marks = kept !== null ? { [kept]: "keep" } : { [choice?.card]: "keep", [choice?.discard]: "aside" };
  const cards = mine.packet.map((one) => {
    const where = marks[one.card] ?? null;
    const drawn = card(one, w, { type: "button", onclick: tap(one), "data-where": where });
    if (where) drawn.append(h("em", {}, where === "keep" ? w.keep : w.aside));
    return drawn;
  });
  return h("div", {}, h("h2", { class: "minor" }, title), h("div", { class: "cards" }, ...cards));
}

/** What was chosen, and that it can be changed yet. */
function chosen({ card: name, discard }, w) {
  const away = discard ? `, ${w.aside}${colon()}${thing(discard)}` : "";
  return `${w.keep}${colon()}${thing(name)}${away}. ${w.choose_anew}`;
}

/** Every tap moves a card on: front, back, kept (from the hand), set aside. */
function deployment(view, me, w, act, again) {
  const inPlay = new Set(me.units.map((unit) => unit.card));
  const tap = (one) => () => {
    const ways = inPlay.has(one.card) ? ["front", "back", "aside"] : ["front", "back", "keep", "aside"];
    const next = ways[(ways.indexOf(plan[one.card]) + 1) % ways.length];
    if (next === "keep") for (const other of Object.keys(plan)) if (plan[other] === "keep") plan[other] = "aside";
    plan[one.card] = next;
    keepPlan(planFor, plan);
    again();
  };
  const where = { front: w.front, back: w.back, keep: w.keep };
  const cards = [...me.units, ...me.own.hand, ...named(me)].map((one) => {
    const drawn = card(one, w, { type: "button", onclick: tap(one), "data-where": where[plan[one.card]] ? plan[one.card] : null });
    drawn.append(h("em", {}, where[plan[one.card]] ?? w.aside));
    return drawn;
  });
  const of = (row) => Object.keys(plan).filter((name) => plan[name] === row);
  const lay = () => act("deploy", { front: of("front"), back: of("back"), keep: of("keep")[0] ?? null });
  const spots = `${w.front} ${me.spots.front}, ${w.back} ${me.spots.back}, ${me.gold} ${w.gold}`;
  return h("div", {}, h("h2", { class: "minor" }, spots), ...naming(me, w, again), h("div", { class: "cards" }, ...cards),
    h("button", { type: "button", class: "main", "data-do": "deploy", onclick: lay }, w.lay));
}

/** With the table's own cards: those of the plan that were named, as they are drawn. */
function named({ units, own: { pack } }) {
  const inPlay = new Set(units.map((unit) => unit.card));
  return Object.keys(plan).filter((name) => !inPlay.has(name)).flatMap((name) =>
    pack.filter((one) => one.type === name.replace(/-\d+$/, "")).map((one) => ({ ...one, card: name })));
}

/** With the table's own cards: a list of all types, of which one is named for every card that is held. */
function naming({ units, own: { pack } }, w, again) {
  if (!pack.length) return [];
  const inPlay = new Set(units.map((unit) => unit.card));
  const types = [...pack].sort((one, other) => told(one.name).localeCompare(told(other.name)));
  const name = () => {
    const { type, copies } = pack.find((one) => one.type === select.value) ?? { type: "", copies: 0 };
    const free = Array.from({ length: copies }, (_, n) => `${type}-${n + 1}`).find((one) => !inPlay.has(one) && !(one in plan));
    if (free) plan[free] = "front";
    keepPlan(planFor, plan);
    again();
  };
  const options = types.map((one) => h("option", { value: one.type }, `${told(one.name)} (${one.cost} ${w.gold})`));
  const select = /** @type {any} */ (h("select", { name: "named", onchange: name }, h("option", { value: "" }, "–"), ...options));
  return [h("label", {}, w.held_card, select)];
}

function simple(moves, w, act) {
  const buttons = moves.filter((move) => move.type !== "deploy").map((move) => {
    const words = move.type === "ready" ? w.ready : Object.values(move.data).map((value) => (value === null ? "–" : read(value))).join(" → ");
    return h("button", { type: "button", "data-do": move.type, onclick: () => act(move.type, move.data) }, words);
  });
  return h("div", { class: "games-do" }, ...buttons);
}

function kingdom(player, w) {
  const head = `${player.name}${colon()}${counted(player.points, w.points)}, ${player.gold} ${w.gold}, ${w.force} ${player.force}, ${w.income} ${player.income}`;
  const row = (front) => {
    const units = player.units.filter((unit) => unit.front === front);
    return units.length ? h("div", {}, h("b", { class: "row-name" }, front ? w.front : w.back), h("div", { class: "cards" }, ...units.map((unit) => card(unit, w)))) : null;
  };
  const built = Object.entries(player.buildings).map(([name, level]) => `${term(name)} ${level}`).join(", ");
  const gains = player.gains.map((gain) => h("li", {}, `${w.round} ${gain.round}, ${term(gain.phase)}${colon()}${why(gain.why)} ${gain.points > 0 ? "+" : ""}${gain.points}`));
  return h("section", { class: "kingdom" }, h("h2", { class: "minor" }, head, player.ready ? " ✓" : ""), row(true), row(false), h("p", {}, built),
    gains.length ? h("details", {}, h("summary", {}, w.score), h("ul", {}, ...gains)) : null);
}

/** What a point came from: a card, a building, or the war with a neighbour. */
function why(name) {
  return name.startsWith("war:") ? `${term("war")} (${owner(name.slice(4))})` : read(name);
}
