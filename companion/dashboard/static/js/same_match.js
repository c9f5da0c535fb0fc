// What is being filled in for one match closes where another one is on: it would end that one, or be told to it.

import { toast } from "./link.js";
import { t } from "./texts.js";

export class SameMatch {
  /** open: whether something is being filled in; close: puts it away. */
  constructor(open, close) {
    this.open = open;
    this.close = close;
    this.sending = false; // what changes the match itself
    this.id = undefined;
  }

  /** A newer scoreboard. */
  show({ match_id: id }) {
    const other = this.id !== undefined && id !== this.id;
    this.id = id;
    if (!other || !id || this.sending || !this.open()) return;
    this.close();
    toast(t("match.begun"));
  }
}
