// What is being composed for Zargo: who acts, along which way, against whom, with what result; and the action that it
// makes. The companion judges it when it is sent: here nothing is refused, only offered or not.

import { FLYERS, beside, coastal, continent, cost, stepsFrom, terrain } from "./game_zargo_hexes.js";

export const RESULTS = ["none", "defender_out", "defender_back", "attackers_out", "attackers_back", "both_out"];
export const REVEAL = "reveal"; // of a siege: who stands in the city is shown, and nothing more
export const FACES = 6;
export const GARRISON = 4;
export const MOST_BONUS = 9;
const CHARGE = { front: 3, side: 1 };
const WEAPONS = { archer: "arrows", dragon: "flames", flamethrower: "flames", sorcerer: "visions", illusionist: "visions" };

/** A plan in which nothing is chosen yet, for one phase of one turn. */
export function fresh(view, seat) {
  return {
    key: keyOf(view, seat), mode: null, chosen: [], path: [], target: null, escort: false, leave: false, charges: {}, bonus: 0,
    result: null, die: null, city: null, garrison: null, kind: null, places: {}, refused: "",
  };
}

function keyOf(view, seat) {
  return [view.phase, view.round, view.turn, seat, view.retreats.length > 0].join();
}

/** The same plan for a newer view, without what has gone meanwhile; a fresh one in another phase or turn. */
export function kept(plan, view, seat) {
  if (!plan || plan.key !== keyOf(view, seat)) return fresh(view, seat);
  const chosen = plan.chosen.filter((name) => mayBeChosen(view, seat, counterOf(view, name)));
  const target = plan.target !== null && !counterOf(view, plan.target) && !cityOf(view, plan.target) ? null : plan.target;
  const left = new Set(toPlace(view, seat));
  const taken = new Set([...view.counters, ...view.cities].map((one) => one.hex));
  const places = Object.fromEntries(Object.entries(plan.places).filter(([name, hex]) => left.has(name) && !taken.has(hex)));
  return { ...plan, chosen, target, places, ...(chosen.length ? {} : { path: [], mode: null }) };
}

export function counterOf(view, name) {
  return view.counters.find((one) => one.counter === name);
}

export function cityOf(view, name) {
  return view.cities.find((one) => one.city === name);
}

/** The counters that a people has still to place. */
export function toPlace(view, seat) {
  return view.players.find((one) => one.team === seat)?.to_place ?? [];
}

export function friends(view, one, other) {
  return one === other || view.alliances.some((pair) => pair.includes(one) && pair.includes(other));
}

/** The other counter of an escort: whom it covers, or who covers it. */
export function partner(view, counter) {
  return counter.escorts ? counterOf(view, counter.escorts) : view.counters.find((one) => one.escorts === counter.counter);
}

/** Whether it is for this seat to compose something now, apart from what falls back. */
export function composes(view, seat) {
  if (view.retreats.length) return false;
  if (["cities", "garrisons", "rest"].includes(view.phase)) return view.players.some((one) => one.team === seat && !one.ready);
  return view.turn === seat && ["moves", "engagements"].includes(view.phase);
}

/** Whether an own counter can be chosen to act. */
export function mayBeChosen(view, seat, counter) {
  if (!counter || counter.team !== seat || !composes(view, seat) || counter.stuck) return false;
  if (view.phase === "moves") return !counter.moved && (!counter.acted || counter.kind === "dragon");
  if (view.phase !== "engagements" || counter.vanished) return false;
  if (counter.acted) return counter.kind === "serpent" && counter.moved;
  return counter.escorts || !partner(view, counter);
}

/** What those chosen can do: the first is what they do unless another is chosen. */
export function modes(plan, view) {
  const chosen = plan.chosen.map((name) => counterOf(view, name)).filter(Boolean);
  if (!chosen.length) return [];
  if (view.phase === "moves") return chosen.every((one) => one.kind === "dragon" && !one.acted) ? ["move", "shoot"] : ["move"];
  const [first] = chosen;
  if (chosen.length === 1 && first.acted) return ["charge_on"];
  const weapons = new Set(chosen.map((one) => WEAPONS[one.kind]));
  const shoot = weapons.size === 1 && !weapons.has(undefined) && (chosen.length === 1 || weapons.has("flames"));
  return ["combat", ...(shoot ? ["shoot"] : [])];
}

/** What is being done: as chosen, or the first of what can be. */
export function mode(plan, view) {
  const all = modes(plan, view);
  return all.includes(plan.mode) ? plan.mode : all[0] ?? null;
}

/** Whether more than one counter can be chosen for it. */
export function together(plan, view) {
  return ["combat", "shoot"].includes(mode(plan, view));
}

/** The hex that a way has come to. */
export function wayEnd(plan, view) {
  return plan.path.at(-1) ?? counterOf(view, plan.chosen[0])?.hex;
}

/** Where the next step may lead: what the movement is enough for, not onto those who bar the way. */
export function nextSteps(plan, view, seat) {
  const counter = counterOf(view, plan.chosen[0]);
  if (!counter || counter.vanished || !["move", "charge_on"].includes(mode(plan, view))) return [];
  const flies = FLYERS.includes(counter.kind);
  return stepsFrom(view.map, wayEnd(plan, view)).filter((name) => {
    if (cost(view.map, [...plan.path, name], counter.kind) > counter.movement) return false;
    return flies || !barred(view, seat, name);
  });
}

function barred(view, seat, hex) {
  const city = view.cities.find((one) => one.hex === hex);
  if (city?.owner && !friends(view, seat, city.owner) && view.options.emptied_city !== "must_be_entered") return true;
  return view.counters.some((one) => one.hex === hex && !one.vanished && !friends(view, seat, one.team));
}

/** The enemies and their cities that can be named as target, by id. */
export function targets(plan, view, seat) {
  const doing = mode(plan, view);
  if (!doing || (["move", "charge_on"].includes(doing) && !plan.path.length)) return [];
  const from = doing === "combat" ? plan.chosen.map((name) => counterOf(view, name).hex) : [wayEnd(plan, view)];
  const near = new Set(from.flatMap((hex) => beside(view.map, hex)));
  const open = (one) => !friends(view, seat, one.team) && !one.vanished && !view.cities.some((city) => city.hex === one.hex);
  const covered = (one) => view.counters.some((other) => other.escorts === one.counter);
  const counters = view.counters.filter((one) => open(one) && !covered(one) && (doing === "shoot" || near.has(one.hex)));
  const cities = ["move", "combat"].includes(doing)
    ? view.cities.filter((one) => one.hex && near.has(one.hex) && !(one.owner && friends(view, seat, one.owner))) : [];
  return [...counters.map((one) => one.counter), ...cities.map((one) => one.city)];
}

/** Own counters that could act with those chosen: beside the target, on the hex of one of them, or of the same weapon. */
export function companions(plan, view, seat) {
  const target = counterOf(view, plan.target) ?? cityOf(view, plan.target);
  const hexes = new Set(plan.chosen.map((name) => counterOf(view, name).hex));
  if (mode(plan, view) === "combat" && target) for (const hex of beside(view.map, target.hex)) hexes.add(hex);
  const flames = mode(plan, view) === "shoot" && WEAPONS[counterOf(view, plan.chosen[0])?.kind] === "flames";
  return view.counters.filter((one) => mayBeChosen(view, seat, one) && (plan.chosen.includes(one.counter)
    || (flames ? WEAPONS[one.kind] === "flames" && !one.acted && (view.phase !== "moves" || one.kind === "dragon") : hexes.has(one.hex) && !(one.acted && together(plan, view)))))
    .map((one) => one.counter);
}

/** Knights among the attackers that have moved this turn: those that may have charged. */
export function chargers(plan, view) {
  return plan.chosen.filter((name) => counterOf(view, name).kind === "knight" && counterOf(view, name).moved);
}

/** What the attackers' factors add up to, with charges and bonus. */
export function attack(plan, view) {
  const charged = chargers(plan, view).reduce((sum, name) => sum + (CHARGE[plan.charges[name]] ?? 0), 0);
  return plan.chosen.reduce((sum, name) => sum + counterOf(view, name).combat, 0) + charged + plan.bonus;
}

/** The hexes on which a people may place a city, or counters. */
export function ownLand(view, seat) {
  const own = view.players.find((one) => one.team === seat).continents;
  const taken = new Set([...view.counters, ...view.cities].map((one) => one.hex));
  const found = [];
  for (let row = 1; row <= view.map.rows; row += 1) {
    for (let column = 1; column <= view.map.columns; column += 1) {
      const name = String(column).padStart(2, "0") + String(row).padStart(2, "0");
      const good = own.includes(continent(view.map, name)) && terrain(view.map, name) !== "~" && !taken.has(name);
      if (good && !(view.phase === "cities" && coastal(view.map, name))) found.push(name);
    }
  }
  return found;
}

/** The city that is being placed or filled: as chosen, or the first that waits for it. */
export function cityNow(plan, view, seat) {
  const own = view.cities.filter((one) => one.people === seat);
  return plan.city ?? (own.find((one) => (view.phase === "cities" ? !one.hex : !one.garrison)) ?? (view.phase === "cities" ? null : own[0]))?.city ?? null;
}

/** How many counters of each kind stand in a city, or will, and how many could. */
export function garrisonNow(plan, view, seat) {
  const city = cityOf(view, cityNow(plan, view, seat));
  const inside = view.counters.filter((one) => one.hex === city?.hex && one.team === seat).map((one) => one.counter);
  const all = {};
  for (const name of [...inside, ...toPlace(view, seat)]) (all[kindOf(name)] ??= []).push(name);
  const count = (kind) => plan.garrison?.[kind] ?? inside.filter((name) => kindOf(name) === kind).length;
  const rows = Object.entries(all).map(([kind, names]) => ({ kind, names, count: Math.min(count(kind), names.length) }));
  return { rows, total: rows.reduce((sum, row) => sum + row.count, 0) };
}

/** The kinds of counters that are still to be placed on the map, and those of each that have no hex yet. */
export function kindsLeft(plan, view, seat) {
  const found = {};
  for (const name of toPlace(view, seat)) {
    found[kindOf(name)] ??= [];
    if (!(name in plan.places)) found[kindOf(name)].push(name);
  }
  return found;
}

export function kindNow(plan, view, seat) {
  const left = kindsLeft(plan, view, seat);
  return left[plan.kind]?.length ? plan.kind : Object.keys(left).find((kind) => left[kind].length) ?? null;
}

function kindOf(name) {
  return name.split("-")[1];
}

/** The action that a plan makes, as the engine reads it; null while something is missing. */
export function order(plan, view, seat) {
  if (view.phase === "garrisons") {
    const { rows } = garrisonNow(plan, view, seat);
    const city = cityNow(plan, view, seat);
    return city && { type: "garrison", data: { city, counters: rows.flatMap((row) => row.names.slice(0, row.count)) } };
  }
  if (view.phase === "rest") {
    return Object.keys(plan.places).length ? { type: "place", data: { counters: { ...plan.places } } } : null;
  }
  const make = { move: moving, combat: fighting, shoot: shooting, charge_on: chargingOn }[mode(plan, view) ?? ""];
  return make ? make(plan, view) : null;
}

function moving(plan) {
  if (!plan.path.length) return null;
  const more = { ...(plan.target ? { target: plan.target } : {}), ...(plan.escort ? { escort: true } : {}), ...(plan.leave ? { leave: true } : {}) };
  return { type: "move", data: { counter: plan.chosen[0], path: plan.path, ...more } };
}

function fighting(plan, view) {
  const read = outcome(plan, view);
  if (!plan.target || !read) return null;
  const attackers = plan.chosen;
  if (cityOf(view, plan.target)) return { type: "siege", data: { attackers, city: plan.target, ...read } };
  const charges = Object.fromEntries(chargers(plan, view).filter((name) => plan.charges[name]).map((name) => [name, plan.charges[name]]));
  const more = { ...(Object.keys(charges).length ? { charges } : {}), ...(plan.bonus ? { bonus: plan.bonus } : {}) };
  return { type: "combat", data: { attackers, target: plan.target, ...more, ...read } };
}

/** The result as told, or the die for the tables; null while neither is chosen. */
function outcome(plan, view) {
  if (view.options.combat_results !== "told") return plan.die ? { die: plan.die } : null;
  if (plan.result === REVEAL) return cityOf(view, plan.target) ? {} : null;
  return results(plan, view).includes(plan.result) ? { result: plan.result } : null;
}

/** The results that can be told: a garrison does not fall back, but may only be shown; of a shot, hit or missed. */
export function results(plan, view) {
  if (mode(plan, view) === "shoot") return ["hit", "missed"];
  return cityOf(view, plan.target) ? [REVEAL, ...RESULTS.filter((one) => one !== "defender_back")] : RESULTS;
}

function shooting(plan, view) {
  const told = view.options.combat_results === "told";
  const read = told ? ["hit", "missed"].includes(plan.result) : plan.die;
  if (!plan.target || !read) return null;
  return { type: "shoot", data: { shooters: plan.chosen, target: plan.target, ...(told ? { hit: plan.result === "hit" } : { die: plan.die }) } };
}

function chargingOn(plan) {
  return plan.path.length && plan.target ? { type: "charge_on", data: { counter: plan.chosen[0], path: plan.path, target: plan.target } } : null;
}
