// A seat that another screen holds is freed by the referee, after a question: whoever takes it next sees what it hides.

import { post } from "./api.js";
import { byId, h } from "./dom.js";
import { attemptOnce } from "./link.js";
import { firstTap } from "./presses.js";
import { colon } from "./texts.js";

const MAY = ["referee", "owner"]; // as the server has it

export class Free {
  constructor(w, { role }) {
    this.w = w;
    this.may = MAY.includes(role);
    this.dialog = byId("games-free");
  }

  /** The button beside a seat that another screen holds; null for who may not free it. */
  button(match, seat, name) {
    return this.may ? h("button", { type: "button", "data-free": seat, onclick: () => this.ask(match, seat, name) }, this.w.free) : null;
  }

  ask(match, seat, name) {
    if (!firstTap()) return;
    this.asked = { match, seat };
    const free = h("button", { type: "button", class: "main", "data-do": "free", onclick: async () => {
      if (await attemptOnce(() => post(`/api/seat/${seat}/free`, { match }))) this.dialog.close();
    } }, this.w.free);
    const cancel = h("button", { type: "button", autofocus: true, onclick: () => this.dialog.close() }, this.w.cancel);
    this.dialog.replaceChildren(h("h2", {}, `${this.w.free}${colon()}${name}`), h("p", {}, this.w.free_says),
      h("div", { class: "games-do" }, free, cancel));
    this.dialog.showModal();
  }

  /** News of the seats: a question about one that nobody holds any more, or of another match, is none. */
  show({ match, held, mine }) {
    if (!this.dialog.open) return;
    const { asked } = this;
    if (asked.match !== match || !held.includes(asked.seat) || mine.includes(asked.seat)) this.dialog.close();
  }
}
