// Earlier entries: taken back or told otherwise, with the difference shown before anybody accepts it.

import { AGAIN_MS, Refused, getJson, post } from "./api.js";
import { byId, h } from "./dom.js";
import { attempt, attemptOnce } from "./link.js";
import { describe, owner, read, spoken, term, thing } from "./games_terms.js";
import { untouched } from "./presses.js";
import { askToTell } from "./tell.js";
import { colon, told } from "./texts.js";

const SHOTS = ["shot", "shot_by_hand"];
const SHOWN = 60; // entries in the list; older ones are still there by scrolling the log

export class Earlier {
  constructor(w) {
    this.w = w;
    this.mine = [];
    this.asked = 0;
    this.box = byId("games-earlier");
    this.dialog = byId("games-change");
    this.score = null; // as long as nothing is drawn: the list is filled once there is something
    this.box.addEventListener("toggle", () => this.box.open && this.score && this.fill());
  }

  /** A newer scoreboard, and the seat whose entries may be changed; null in a game without seats. */
  show(score, seat) {
    this.seat = seat;
    this.score = score;
    this.box.hidden = !score.game;
    if (this.box.open) this.fill();
  }

  /** The seats of this screen: what is open about one that is no longer among them closes. */
  hold(mine) {
    this.mine = mine;
    if (this.dialog.open && !this.holds(this.about)) this.dialog.close();
  }

  holds(seat) {
    return !seat || this.mine.includes(seat);
  }

  query() {
    return this.seat ? `?seat=${encodeURIComponent(this.seat)}` : "";
  }

  async fill() {
    const asked = ++this.asked;
    const seen = this.score.last_id; // the list shows what counts by then, or later
    const found = await getJson(`/api/amend${this.query()}`).catch((error) => {
      if (!(error instanceof Refused)) setTimeout(() => asked === this.asked && this.box.open && this.fill(), AGAIN_MS);
      return null;
    });
    await untouched();
    if (asked !== this.asked || !found) return; // the line or the seat is lost: what there is instead will be drawn
    const { entries } = found;
    const mine = (entry) => !entry.seat || entry.seat === this.seat;
    const rows = entries.slice(0, SHOWN).map((entry) => h("li", { "data-entry": entry.id },
      h("span", { class: "grow" }, `${entry.id}. ${words(entry)}`),
      mine(entry) ? h("button", { type: "button", onclick: () => this.ask(entry, { undo: true }, seen) }, this.w.take_back) : null,
      mine(entry) ? h("button", { type: "button", onclick: () => this.change(entry, seen) }, this.w.change) : null));
    byId("games-entries").replaceChildren(...(rows.length ? rows : [h("li", {}, this.w.nothing_yet)]));
  }

  async change(entry, since) {
    if (SHOTS.includes(entry.type)) {
      const shot = (this.score.ruled ?? []).find((one) => one.id === entry.id);
      const seen = shot?.facts ?? (entry.type === "shot_by_hand" ? entry.data : {});
      askToTell(seen, async (facts) => this.ask(entry, { facts }, since), this.score.kept_by === "taps");
      return;
    }
    const { seat } = this;
    let choices = [];
    if (!(await attempt(async () => ({ choices } = await getJson(`/api/amend/${entry.id}${this.query()}`))))) return;
    const select = h("select", {}, ...choices.map((choice, n) => h("option", { value: n }, label(choice))));
    const go = h("button", { type: "button", class: "main", onclick: () => this.ask(entry, pick(choices[select.value]), since) }, this.w.show_difference);
    await this.open(seat, h("h2", {}, words(entry)), h("label", {}, this.w.instead, select), h("div", { class: "games-do" }, go, this.cancel()));
  }

  cancel() {
    return h("button", { type: "button", onclick: () => this.dialog.close() }, this.w.cancel);
  }

  /** seat: whose entry it is about; null where it is nobody's own. */
  async open(seat, ...parts) {
    await untouched();
    if (!this.holds(seat)) return; // freed while the answer was on its way
    this.about = seat;
    this.dialog.replaceChildren(...parts);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Asks the server what would change, and shows it with a button that does it. seen: the newest entry that was shown when
   * the hand set out; what others have told since is not overruled unseen. */
  async ask(entry, change, seen) {
    const { seat } = this;
    const body = { of: entry.id, ...change, seen, ...(seat ? { seat } : {}) };
    let difference = null;
    const good = await attemptOnce(async () => { difference = await post("/api/amend", body); });
    if (!good) return false;
    const accept = h("button", { type: "button", class: "main", "data-do": "accept", onclick: async () => {
      if (await attemptOnce(() => post("/api/amend", { ...body, seen: difference.last_id, accept: true }))) this.dialog.close();
    } }, this.w.accept);
    await this.open(seat, h("h2", {}, this.w.what_changes), h("p", {}, words(entry)), ...this.parts(difference),
      h("div", { class: "games-do" }, accept, this.cancel()));
    return true;
  }

  parts({ changes, lines, dropped_lines: dropped }) {
    const { w } = this;
    const rows = changes.map((one) => h("tr", {}, h("th", { scope: "row" }, place(one.where)), h("td", {}, value(one.before)), h("td", {}, value(one.after))));
    const table = rows.length ? [h("table", { class: "games-changes" }, h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", {}, w.before), h("th", {}, w.after))), h("tbody", {}, ...rows))] : [];
    const list = (title, items) => (items.length ? [h("h3", {}, title), h("ul", {}, ...items.map((line) => h("li", {}, spoken(told(line)))))] : []);
    const none = rows.length || lines.gone.length || lines.new.length || dropped.length ? [] : [h("p", {}, w.no_difference)];
    return [...none, ...table, ...list(w.lines_new, lines.new), ...list(w.lines_gone, lines.gone), ...list(w.falls_away, dropped)];
  }
}

function words(entry) {
  const said = entry.lines.map((line) => spoken(told(line))).join(" ");
  if (said) return said;
  return [entry.seat && owner(entry.seat), describe(entry)].filter(Boolean).join(colon());
}

function pick({ type, data }) {
  return { type, data };
}

function label(choice) {
  return choice.text ? told(choice.text) : describe(choice);
}

function place(where) {
  return where.replace(/^players\./, "").split(".").map((name) => (thing(name) === name ? read(name) : thing(name))).join(" · ");
}

function value(one) {
  if (typeof one === "object" && one !== null) return told(one);
  return one === null || one === undefined || one === "" ? "–" : typeof one === "string" ? one.split(", ").map(read).join(", ") : typeof one === "boolean" ? term(one ? "yes" : "no") : String(one);
}
