// The games' own names in the page's language: actions, phases, options and their choices.

import { teamName, told } from "./texts.js";

let terms = {};

export function learn(known) {
  terms = known ?? {};
}

/** A name as people say it; one that is not known, such as a card's or a square's, as it is written. */
export function term(name) {
  return terms[name] ?? String(name).replaceAll("_", " ");
}

/** A choice of an option as people say it: a word of its own where the same name means something else elsewhere. */
export function choiceTerm(option, choice) {
  return terms[`${option}.${choice}`] ?? term(choice);
}

/** A kind of action as people say it. */
export function deed(type) {
  return choiceTerm("do", type);
}

const THING = /(?<![\w-])[a-z][a-z0-9_]*(?:-[a-z][a-z_]*)?-\d+(?![\w-])/g; // such as knight-3, p1-falcon-2
let known = {}; // what the match's own ids mean: a card, a piece, a counter
let owners = {}; // a seat's id -> its player, as all read it

/** Learns what the ids in a view stand for, so that pages show no id. */
export function meet(view) {
  if (view.game === "paleo") return;
  owners = Object.fromEntries((view.players ?? []).map((player) => [player.team, teamName(player.team) === player.team ? player.name : teamName(player.team)]));
  for (const { team, piece, kind } of [...(view.pieces ?? []), ...(view.minerals ?? [])]) known[piece] = { team, kind: kind ?? "mineral" };
  for (const { team, counter, kind } of view.counters ?? []) known[counter] = { team, kind };
  for (const { people, city } of view.cities ?? []) known[city] = { team: people, kind: "city" };
  for (const { units, own } of view.players ?? []) {
    for (const one of [...(units ?? []), ...(own?.packet ?? []), ...(own?.chosen ?? []), ...(own?.hand ?? []), ...(own?.kept ? [own.kept] : [])]) known[one.card] = { name: one.name };
  }
}

/** Who plays a seat, for all to read. */
export function owner(seat) {
  return owners[seat] ?? seat;
}

/** A piece, counter or card by its id, as people call it: "Falcon 2"; with its owner where asked for. */
export function thing(id, whose = true) {
  const one = known[id] ?? gone(id);
  if (!one) return id;
  if (one.name) return told(one.name);
  const what = `${term(one.kind)} ${id.split("-").at(-1)}`;
  return whose ? `${what} (${owner(one.team)})` : what;
}

/** What an id tells by itself: of a counter, say, that has left the map. */
function gone(id) {
  const [, team, kind] = id.match(/^(.+)-([a-z_]+)-\d+$/) ?? [];
  return team in owners && kind in terms ? { team, kind } : null;
}

/** A sentence of the log with ids read out; the owner is left out where the sentence names it anyway. */
export function spoken(text) {
  const peoples = Object.keys(owners).filter((seat) => teamName(seat) !== seat);
  const named = peoples.reduce((line, seat) => line.replace(new RegExp(`(?<![\\w-])${seat}(?![\\w-])`, "g"), owner(seat)), text);
  return named.replace(THING, (id) => {
    const one = known[id] ?? gone(id);
    return thing(id, Boolean(one?.team) && !named.includes(owner(one.team)));
  });
}

/** Why an action was refused, with players for seats and ids read out. */
export function refused(text) {
  return spoken(Object.keys(owners).reduce((line, seat) => line.replace(new RegExp(`(?<![\\w-])${seat}(?![\\w-])`, "g"), owner(seat)), text));
}

const HANDED = ["take", "drop"]; // values of an action that are squares like others: what happens there is said

/** An action with its values, in one line. */
export function describe({ type, data }) {
  const values = Object.entries(data).filter(([name]) => name !== "seat").flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([name, one]) => one !== null && (one !== false || name === "hit"));
  return [deed(type), ...values.map(([name, one]) => (typeof one === "object" ? Object.values(one).join(" ") : typeof one === "boolean" ? term(one ? name : "missed") : HANDED.includes(name) ? `${choiceTerm("mineral", name)} ${read(one)}` : read(one)))].join(" ");
}

/** A value of an action: an id, a seat or a word of the game. */
export function read(value) {
  if (value in known || gone(String(value))) return thing(value, false);
  return value in owners ? owner(value) : term(value);
}
