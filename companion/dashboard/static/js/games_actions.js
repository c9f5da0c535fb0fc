// Every legal action as a list, folded by kind and by what it is about, so that none is out of reach of a finger.

import { h } from "./dom.js";
import { deed, describe, read } from "./games_terms.js";

const AT_ONCE = 24; // actions of a kind that are shown without choosing first what they are about

export class Actions {
  constructor(act) {
    this.act = act;
    this.open = new Set(); // folds that stay open when the page is drawn anew
  }

  /** The whole list, folded under one title. */
  draw(moves, title) {
    return this.fold("all", `${title} (${moves.length})`, () =>
      [...grouped(moves, (move) => move.type)].map(([type, some]) => this.kind(type, some)));
  }

  /** The actions of one kind: a fold, and one more for each thing that they are about where they are many. */
  kind(type, moves) {
    if (moves.length === 1) return this.button(moves[0]);
    const groups = grouped(moves, about);
    const apart = moves.length > AT_ONCE && groups.size > 1 && groups.size < moves.length;
    return this.fold(type, `${deed(type)} (${moves.length})`, () => (apart
      ? [...groups].map(([what, some]) => (some.length === 1 ? this.button(some[0])
        : this.fold(`${type} ${what}`, `${read(what)} (${some.length})`, () => some.map((move) => this.button(move)))))
      : moves.map((move) => this.button(move))));
  }

  button(move) {
    return h("button", { type: "button", "data-move": move.type, onclick: () => this.act(move.type, move.data) }, describe(move));
  }

  /** A fold whose content is made when it is first opened: hundreds of buttons cost a phone time. */
  fold(key, title, fill) {
    const list = h("div", { class: "list" });
    const box = h("details", { "data-fold": key, open: this.open.has(key) }, h("summary", {}, title), list);
    const make = () => { if (!list.childElementCount) list.append(...fill()); };
    if (box.open) make();
    box.addEventListener("toggle", () => {
      if (!box.isConnected) return; // drawn anew meanwhile
      this.open[box.open ? "add" : "delete"](key);
      if (box.open) make();
    });
    return box;
  }
}

function grouped(moves, key) {
  const groups = new Map();
  for (const move of moves) groups.set(key(move), [...(groups.get(key(move)) ?? []), move]);
  return groups;
}

/** What an action is about: the first of its values. */
function about(move) {
  return String(Object.values(move.data)[0] ?? "");
}
