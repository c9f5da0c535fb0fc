// What is being composed for Zargo: who acts, along which way, against whom, with what result. What can be chosen next,
// what of the plan still stands and the action that it makes, the companion says; no rule is known here.

/** A plan in which nothing is chosen yet, for one phase of one turn. */
export function fresh(view, seat) {
  return {
    key: keyOf(view, seat), chosen: [], doing: null, path: [], target: null, leave: null, charges: {}, bonus: 0,
    result: null, die: null, city: null, garrison: null, kind: null, places: {}, refused: "", announced: false,
  };
}

/** What a plan is for: one phase of one turn, by one seat. */
export function keyOf(view, seat) {
  return [view.match_id, view.phase, view.round, view.turn, seat, view.retreats.length > 0].join();
}

/** The same plan for a newer view, without the places that were taken meanwhile; a fresh one in another phase or turn. */
export function kept(plan, view, seat) {
  if (!plan || plan.key !== keyOf(view, seat)) return fresh(view, seat);
  const left = new Set(toPlace(view, seat));
  const free = new Set(view.offers?.hexes);
  const places = Object.fromEntries(Object.entries(plan.places).filter(([name, hex]) => left.has(name) && free.has(hex)));
  return { ...plan, places };
}

/** What the companion is asked about: what of an action has been chosen. */
export function question({ chosen, doing, path, target, leave, charges, bonus, result, die }) {
  return { chosen, doing, path, target, leave, charges, bonus, result, die };
}

/** A plan with what of it still stands, as the companion has answered. */
export function settled(plan, told) {
  const { chosen = [], doing = null, path = [], target = null, leave = null, charges = {}, bonus = 0, result = null, die = null } = told;
  return { ...plan, chosen, doing, path, target, leave, charges, bonus, result, die };
}

/** The plan with a counter chosen, beside those that can act with it, or with it no longer chosen; null where it cannot be. */
export function chosenOr(plan, told, view, seat, name) {
  if (plan.chosen.includes(name)) {
    const left = plan.chosen.filter((one) => one !== name);
    return left.length ? { chosen: left } : fresh(view, seat);
  }
  if (told.joins?.includes(name)) return { chosen: [...plan.chosen, name] };
  return told.own?.includes(name) ? { ...fresh(view, seat), chosen: [name] } : null;
}

export function counterOf(view, name) {
  return view.counters.find((one) => one.counter === name);
}

export function cityOf(view, name) {
  return view.cities.find((one) => one.city === name);
}

/** Whether it is for this seat to compose something now, apart from what falls back. */
export function composes(view) {
  return Object.keys(view.offers ?? {}).length > 0;
}

/** The counters that a people has still to place. */
function toPlace(view, seat) {
  return view.players.find((one) => one.team === seat)?.to_place ?? [];
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

/** The action that a plan makes: a garrison or places as they were put together here, else as the companion has said. */
export function order(plan, told, view, seat) {
  if (view.phase === "garrisons") {
    const { rows } = garrisonNow(plan, view, seat);
    const city = cityNow(plan, view, seat);
    return city && { type: "garrison", data: { city, counters: rows.flatMap((row) => row.names.slice(0, row.count)) } };
  }
  if (view.phase === "rest") {
    return Object.keys(plan.places).length ? { type: "place", data: { counters: { ...plan.places } } } : null;
  }
  return told.order ?? null;
}
