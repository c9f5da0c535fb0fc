// Below Zargo's map: what is being composed, what can be added to it, and the button that does it.

import { h } from "./dom.js";
import { cityNow, cityOf, composes, counterOf, garrisonNow, kindNow, kindsLeft, order } from "./game_zargo_plan.js";
import { choiceTerm, deed, refused, term, thing } from "./games_terms.js";
import { colon } from "./texts.js";

const REVEAL = "reveal"; // of a siege: who stands in the city is shown, and nothing more

/** pile: who stands on the hex that was tapped, with what a tap does; told: what can be chosen next; change: changes the plan by what a function makes of it; choose: takes a counter in or
 * out; send: tells the companion what was composed. */
export function drawPanel(plan, told, view, { seat, w, pile, change, choose, send, clear }) {
  const which = choice(`${w.hex} ${pile.hex}`, pile.items.map(({ name, tap }) => ({ key: `pile:${name}`, words: `${cityOf(view, name) ? "⌂ " : ""}${thing(name)}`, tap })));
  const parts = PARTS[view.phase];
  const why = plan.refused ? h("p", { class: "plan-refused", role: plan.announced ? null : "alert" }, plan.refused) : null;
  if (!composes(view) || !parts) {
    const shown = [which, composes(view) ? why : null].filter(Boolean);
    return shown.length ? h("section", { class: "plan", "aria-label": w.order }, ...shown) : h("span", {});
  }
  const made = order(plan, told, view, seat);
  const content = parts(plan, told, view, { seat, w, change, choose });
  const does = made && h("button", { type: "button", class: "main", "data-plan": "send", onclick: send }, doing(made, w));
  const chosen = plan.chosen.length || plan.city || plan.garrison || Object.keys(plan.places).length;
  const none = chosen ? h("button", { type: "button", "data-plan": "clear", onclick: clear }, w.cancel) : null;
  const not = told.why && !plan.refused ? h("p", { class: "plan-why" }, refused(told.why)) : null;
  const foot = does || none || why ? h("div", { class: "plan-foot" }, why, not, h("div", { class: "games-do" }, does, none)) : null;
  return h("section", { class: "plan", "aria-label": w.order }, which, ...content, foot);
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
    tap: () => change(() => ({ city: one.city, garrison: null })),
  })));
}

function placingCities(plan, _told, view, tools) {
  return [cityButtons(plan, view, tools), ...(cityNow(plan, view, tools.seat) ? [h("p", {}, tools.w.tap_city)] : [])];
}

function garrisons(plan, told, view, tools) {
  const { rows, total } = garrisonNow(plan, view, tools.seat);
  const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  const kinds = rows.map(({ kind, names, count }) => stepper(term(kind), `garrison:${kind}`, count, [0, Math.min(names.length, count + told.most - total)],
    (value) => tools.change(() => ({ city: cityNow(plan, view, tools.seat), garrison: { ...counts, [kind]: value } }))));
  return [cityButtons(plan, view, tools), h("p", {}, `${tools.w.inside}${colon()}${total} / ${told.most}`), h("div", { class: "steppers" }, ...kinds)];
}

function placing(plan, _told, view, { seat, w, change }) {
  const left = kindsLeft(plan, view, seat);
  const now = kindNow(plan, view, seat);
  return [
    choice(w.which_counters, Object.entries(left).map(([kind, names]) => ({ key: `kind:${kind}`, words: `${term(kind)} · ${names.length}`, pressed: kind === now, tap: () => change(() => ({ kind })) }))),
    h("p", {}, w.tap_places),
  ];
}

function acting(plan, told, view, tools) {
  const { w, change } = tools;
  if (!plan.chosen.length) return [h("p", {}, view.phase === "moves" ? w.tap_own : w.tap_own_many)];
  const deeds = told.deeds ?? [];
  const how = deeds.length > 1 ? choice(w.order, deeds.map((one) => ({ key: `mode:${one}`, words: deed(one), pressed: one === plan.doing, tap: () => change(() => ({ doing: one, path: [], target: null, result: null })) }))) : null;
  return [who(plan, told, view, tools), how, ...way(plan, told, view, tools), whom(plan, told, view, tools), ...result(plan, told, tools)];
}

/** Who acts: several where they can do it together, and who stands on the same hex. */
function who(plan, told, view, { w, choose }) {
  const names = [...plan.chosen, ...(told.joins ?? []), ...(told.beside ?? [])];
  const fights = ["combat", "shoot"].includes(plan.doing);
  const number = ({ combat, movement }) => (fights ? combat : movement);
  return choice(plan.doing === "shoot" ? w.shooters : fights ? w.attackers : w.counter, view.counters.filter((one) => names.includes(one.counter)).map((one) => ({
    key: `who:${one.counter}`, words: `${thing(one.counter, false)} · ${number(one)}`, pressed: plan.chosen.includes(one.counter), tap: () => choose(one.counter),
  })));
}

function way(plan, told, view, { w, change }) {
  if (told.doing === "reappear") return [h("p", {}, w.tap_return)];
  if (!told.steps) return [];
  const from = counterOf(view, plan.chosen[0])?.hex;
  const said = plan.path.length ? `${[from, ...plan.path].join(" → ")} · ${told.cost} / ${told.movement}` : w.tap_way;
  const back = plan.path.length ? h("button", { type: "button", "data-plan": "back", onclick: () => change(() => ({ path: plan.path.slice(0, -1), target: null })) }, w.step_back) : null;
  const parts = told.leaves || told.leave; // the button of somebody who can only part tells that, and does nothing
  const leave = parts ? h("button", { type: "button", "data-plan": "leave", "aria-pressed": Boolean(told.leave), "aria-disabled": !told.leaves, onclick: () => told.leaves && change(() => ({ leave: !told.leave })) }, w.leave_escort) : null;
  return [h("p", { class: "way-told" }, said), told.escort ? h("p", {}, w.join_escort) : null, back || leave ? h("div", { class: "games-do" }, back, leave) : null];
}

function whom(plan, told, view, { w, change }) {
  const words = (name) => (cityOf(view, name) ? `⌂ ${thing(name)}` : `${thing(name)} · ${counterOf(view, name)?.combat ?? "?"}`);
  return choice(w.target, (told.targets ?? []).map((name) => ({ key: `target:${name}`, words: words(name), pressed: name === plan.target, tap: () => change(() => ({ target: name === plan.target ? null : name })) })));
}

function result(plan, told, { w, change }) {
  const [attack, defence] = told.force ?? [];
  const sums = told.force ? [h("p", {}, `${w.force}${colon()}${attack} – ${defence}`)] : [];
  const charges = (told.chargers ?? []).map((name) => choice(`${w.charge} ${thing(name, false)}`, told.sides.map((side) => ({
    key: `charge:${name}:${side}`, words: side === "front" ? w.charge_front : w.charge_side, pressed: plan.charges[name] === side,
    tap: () => change(() => ({ charges: plan.charges[name] === side ? Object.fromEntries(Object.entries(plan.charges).filter(([one]) => one !== name)) : { ...plan.charges, [name]: side } })),
  }))));
  const most = told.most_bonus;
  const bonus = most ? [stepper(w.bonus_factors, "bonus", plan.bonus, [-most, most], (value) => change(() => ({ bonus: value })))] : [];
  const read = [
    choice(w.result, (told.results ?? []).map((one) => ({ key: `result:${one}`, words: one === REVEAL ? w.reveal_only : choiceTerm("result", one), pressed: plan.result === one, tap: () => change(() => ({ result: one })) }))),
    choice(w.die, (told.dice ?? []).map((die) => ({ key: `die:${die}`, words: String(die), pressed: plan.die === die, tap: () => change(() => ({ die })) }))),
  ];
  return [...charges, ...bonus, ...sums, ...read];
}
