// A seat that another screen holds is freed by the referee, after a question: whoever takes it next sees what it hides.

import { post } from "./api.js";
import { byId, h } from "./dom.js";
import { attempt } from "./link.js";
import { firstTap } from "./presses.js";
import { colon } from "./texts.js";

const MAY = ["referee", "owner"]; // as the server has it

export class Free {
  /** refresh: shows who holds which seat now. */
  constructor(w, { role }, refresh) {
    this.w = w;
    this.refresh = refresh;
    this.may = MAY.includes(role);
    this.dialog = byId("games-free");
  }

  /** The button beside a seat that another screen holds; null for who may not free it. */
  button({ match, holdings }, seat, name) {
    return this.may ? h("button", { type: "button", "data-free": seat, onclick: () => this.ask(match, seat, holdings[seat], name) }, this.w.free) : null;
  }

  ask(match, seat, holding, name) {
    if (!firstTap()) return;
    this.asked = { match, seat, holding };
    const free = h("button", { type: "button", class: "main", "data-do": "free", onclick: async () => {
      if (!firstTap()) return;
      const freed = await attempt(() => post(`/api/seat/${seat}/free`, { match, holding }));
      this.dialog.close();
      if (!freed) await this.refresh(); // what it was refused for is shown
    } }, this.w.free);
    const cancel = h("button", { type: "button", autofocus: true, onclick: () => this.dialog.close() }, this.w.cancel);
    this.dialog.replaceChildren(h("h2", {}, `${this.w.free}${colon()}${name}`), h("p", {}, this.w.free_says),
      h("div", { class: "games-do" }, free, cancel));
    this.dialog.showModal();
  }

  /** News of the seats: a question about one that nobody holds any more, or another holder, or of another match, is none. */
  show({ match, holdings, mine }) {
    if (!this.dialog.open) return;
    const { asked } = this;
    if (asked.match !== match || holdings[asked.seat] !== asked.holding || mine.includes(asked.seat)) this.dialog.close();
  }
}
