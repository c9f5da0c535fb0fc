// Below Zargo's map: what is being composed, what can be added to it, and the button that does it.

import { h } from "./dom.js";
import {
  FACES, GARRISON, MOST_BONUS, REVEAL, attack, chargers, cityNow, cityOf, companions, composes, counterOf, garrisonNow, kindNow, kindsLeft, mode,
  modes, order, partner, results, targets, together,
} from "./game_zargo_plan.js";
import { cost } from "./game_zargo_hexes.js";
import { choiceTerm, deed, term, thing } from "./games_terms.js";
import { colon } from "./texts.js";

/** change: draws the same with some fields of the plan changed; send: tells the companion what was composed. */
export function drawPanel(plan, view, { seat, w, change, send, clear }) {
  const parts = PARTS[view.phase];
  if (!parts || !composes(view, seat)) return h("span", {});
  const told = order(plan, view, seat);
  const content = parts(plan, view, { seat, w, change });
  const does = told && h("button", { type: "button", class: "main", "data-plan": "send", onclick: () => send(told) }, doing(told, w));
  const chosen = plan.chosen.length || plan.city || plan.garrison || Object.keys(plan.places).length;
  const none = chosen ? h("button", { type: "button", "data-plan": "clear", onclick: clear }, w.cancel) : null;
  const why = plan.refused ? h("p", { class: "plan-refused" }, plan.refused) : null;
  const foot = does || none ? h("div", { class: "plan-foot" }, why, h("div", { class: "games-do" }, does, none)) : null;
  return h("section", { class: "plan", "aria-label": w.order }, ...content, foot);
}

function doing({ type, data }, w) {
  if (type === "place") return `${w.place_them} (${Object.keys(data.counters).length})`;
  return deed(type);
}

const PARTS = { cities: placingCities, garrisons: garrisons, rest: placing, moves: acting, engagements: acting };

/** A row of buttons of which some are pressed. */
function choice(title, items) {
  if (!items.length) return null;
  return h("div", { class: "choice", role: "group", "aria-label": title }, h("b", { "aria-hidden": "true" }, title),
    ...items.map(({ key, words, pressed, tap }) => h("button", { type: "button", "data-plan": key, "aria-pressed": pressed, onclick: tap }, words)));
}

/** A number between two buttons. */
function stepper(title, key, value, [least, most], to) {
  const button = (sign, by, limit) => h("button", { type: "button", "data-plan": `${key}${sign}`, "aria-label": `${title} ${sign}1`, "aria-disabled": value === limit, onclick: () => value !== limit && to(value + by) }, sign);
  return h("div", { class: "stepper", role: "group", "aria-label": `${title}${colon()}${value}` }, h("span", {}, title), button("−", -1, least), h("output", {}, String(value).replace("-", "−")), button("+", 1, most));
}

function cityButtons(plan, view, { seat, w, change }) {
  const now = cityNow(plan, view, seat);
  return choice(w.which_city, view.cities.filter((one) => one.people === seat).map((one) => ({
    key: `city:${one.city}`, words: thing(one.city, false) + (view.phase === "cities" && one.hex ? ` · ${one.hex}` : view.phase === "garrisons" ? ` · ${one.garrison ?? 0}` : ""), pressed: one.city === now,
    tap: () => change({ city: one.city, garrison: null }),
  })));
}

function placingCities(plan, view, tools) {
  return [cityButtons(plan, view, tools), ...(cityNow(plan, view, tools.seat) ? [h("p", {}, tools.w.tap_city)] : [])];
}

function garrisons(plan, view, tools) {
  const { rows, total } = garrisonNow(plan, view, tools.seat);
  const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  const kinds = rows.map(({ kind, names, count }) => stepper(term(kind), `garrison:${kind}`, count, [0, Math.min(names.length, count + GARRISON - total)],
    (value) => tools.change({ city: cityNow(plan, view, tools.seat), garrison: { ...counts, [kind]: value } })));
  return [cityButtons(plan, view, tools), h("p", {}, `${tools.w.inside}${colon()}${total} / ${GARRISON}`), h("div", { class: "steppers" }, ...kinds)];
}

function placing(plan, view, { seat, w, change }) {
  const left = kindsLeft(plan, view, seat);
  const now = kindNow(plan, view, seat);
  return [
    choice(w.which_counters, Object.entries(left).map(([kind, names]) => ({ key: `kind:${kind}`, words: `${term(kind)} · ${names.length}`, pressed: kind === now, tap: () => change({ kind }) }))),
    h("p", {}, w.tap_places),
  ];
}

function acting(plan, view, tools) {
  const { w, seat, change } = tools;
  if (!plan.chosen.length) return [h("p", {}, view.phase === "moves" ? w.tap_own : w.tap_own_many)];
  const now = mode(plan, view);
  const all = modes(plan, view);
  const how = all.length > 1 ? choice(w.order, all.map((one) => ({ key: `mode:${one}`, words: deed(one), pressed: one === now, tap: () => change({ mode: one, path: [], target: null, result: null, chosen: one === "move" ? plan.chosen.slice(-1) : plan.chosen }) }))) : null;
  return [who(plan, view, tools), how, ...(now === "move" || now === "charge_on" ? way(plan, view, tools) : []), whom(plan, view, seat, w, change), ...(now === "move" || now === "charge_on" || !plan.target ? [] : result(plan, view, tools))];
}

/** Who acts: several where they can do it together, and who stands on the same hex. */
function who(plan, view, { seat, w, change }) {
  const many = together(plan, view);
  const tap = (name) => {
    const there = plan.chosen.includes(name);
    if (!many) return change({ chosen: there ? [] : [name], path: [], target: null, mode: null, leave: covered(view, name), escort: false });
    return change({ chosen: there ? plan.chosen.filter((one) => one !== name) : [...plan.chosen, name] });
  };
  return choice(mode(plan, view) === "shoot" ? w.shooters : many ? w.attackers : w.counter, companions(plan, view, seat)
    .map((name) => ({ key: `who:${name}`, words: `${thing(name, false)} · ${many ? counterOf(view, name).combat : counterOf(view, name).movement}`, pressed: plan.chosen.includes(name), tap: () => tap(name) })));
}

/** Whether a counter is one that an escort covers: it moves only where it leaves it. */
export function covered(view, name) {
  return view.counters.some((one) => one.escorts === name);
}

function way(plan, view, { w, change }) {
  const counter = counterOf(view, plan.chosen[0]);
  if (counter.vanished) return [h("p", {}, w.tap_return)];
  const said = plan.path.length ? `${[counter.hex, ...plan.path].join(" → ")} · ${cost(view.map, plan.path, counter.kind)} / ${counter.movement}` : w.tap_way;
  const end = plan.path.at(-1);
  const there = view.counters.some((one) => one.hex === end && one.team === counter.team && one.counter !== counter.counter) && !view.cities.some((one) => one.hex === end);
  const toggle = (name, words) => ({ key: name, words, pressed: plan[name], tap: () => change({ [name]: !plan[name] }) });
  const more = mode(plan, view) !== "move" ? [] : [...(partner(view, counter) ? [toggle("leave", w.leave_escort)] : []), ...(there || plan.escort ? [toggle("escort", w.join_escort)] : [])];
  const back = plan.path.length ? h("button", { type: "button", "data-plan": "back", onclick: () => change({ path: plan.path.slice(0, -1), target: null }) }, w.step_back) : null;
  return [h("p", { class: "way-told" }, said), back || more.length ? h("div", { class: "games-do" }, back, ...more.map(({ key, words, pressed, tap }) => h("button", { type: "button", "data-plan": key, "aria-pressed": pressed, onclick: tap }, words))) : null];
}

function whom(plan, view, seat, w, change) {
  const found = targets(plan, view, seat);
  const all = plan.target && !found.includes(plan.target) ? [plan.target, ...found] : found;
  if (!all.length) return mode(plan, view) === "combat" ? h("p", {}, w.no_enemy) : null;
  const words = (name) => (cityOf(view, name) ? `⌂ ${thing(name)}` : `${thing(name)} · ${counterOf(view, name).combat}`);
  return choice(w.target, all.map((name) => ({ key: `target:${name}`, words: words(name), pressed: name === plan.target, tap: () => change({ target: name === plan.target ? null : name }) })));
}

function result(plan, view, { w, change }) {
  const fight = mode(plan, view) === "combat" && !cityOf(view, plan.target);
  const sums = fight ? [h("p", {}, `${w.force}${colon()}${attack(plan, view)} – ${counterOf(view, plan.target).combat}`)] : [];
  const charges = fight ? chargers(plan, view).map((name) => choice(`${w.charge} ${thing(name, false)}`, ["front", "side"].map((one) => ({
    key: `charge:${name}:${one}`, words: one === "front" ? w.charge_front : w.charge_side, pressed: plan.charges[name] === one,
    tap: () => change({ charges: { ...plan.charges, [name]: plan.charges[name] === one ? null : one } }),
  })))) : [];
  const bonus = fight ? [stepper(w.bonus_factors, "bonus", plan.bonus, [-MOST_BONUS, MOST_BONUS], (value) => change({ bonus: value }))] : [];
  const read = view.options.combat_results === "told"
    ? choice(w.result, results(plan, view).map((one) => ({ key: `result:${one}`, words: one === REVEAL ? w.reveal_only : choiceTerm("result", one), pressed: plan.result === one, tap: () => change({ result: one }) })))
    : choice(w.die, Array.from({ length: FACES }, (_, n) => ({ key: `die:${n + 1}`, words: String(n + 1), pressed: plan.die === n + 1, tap: () => change({ die: n + 1 }) })));
  return [...charges, ...bonus, ...sums, read];
}
