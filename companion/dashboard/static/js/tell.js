// Players tell a shot: which pawn was played, whom it touched, through which door, over the rim, on the gate.

import { byId, h } from "./dom.js";
import { attemptOnce } from "./link.js";
import { firstTap } from "./presses.js";
import { SameMatch } from "./same_match.js";
import { puckLabel, puckToken } from "./shapes.js";
import { doorBearing, t, teamName } from "./texts.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const FOULS = ["pushed", "moved"];
const NOTHING = { flicked: null, touched: [], doors: [], exits: [], on_gate: [] };

export class Tell {
  constructor(board) {
    this.board = board;
    this.dialog = byId("tell");
    this.same = new SameMatch(() => this.dialog.open, () => this.dialog.close());
    this.facts = NOTHING;
    this.part = "flicked";
    this.parts = ["flicked", "touched", ...board.doors.map((door) => `door:${door.name}`), "exits", ...(board.gates.length ? ["on_gate"] : [])];
    byId("tell-send").addEventListener("click", (event) => this.done(event));
    this.dialog.querySelector("[data-close]").addEventListener("click", () => this.dialog.close());
    byId("tell-form").addEventListener("keydown", (event) => {
      const input = event.target instanceof HTMLInputElement;
      if (input && event.key === "Enter") event.preventDefault(); // what is chosen is not yet all that is to be told
    });
    document.addEventListener("ask-tell", ({ detail }) => this.ask(detail));
  }

  /** A newer scoreboard. */
  show(score) {
    this.newest = score.last_id;
    this.same.show(score);
  }

  /**
   * seen: facts to begin with, as far as there are some; byHand: no camera measures;
   * send: gets the facts as told, and the newest entry that the page had shown when it was asked.
   */
  ask({ seen, send, byHand }) {
    firstTap(); // its second half rules nothing
    this.since = this.newest;
    this.facts = structuredClone({ ...NOTHING, ...(byHand ? { in_camp: [], fouls: [] } : {}), ...seen });
    this.shown = byHand ? [...this.parts, "in_camp"] : this.parts;
    this.facts.doors = this.facts.doors.map((one) => (Array.isArray(one) ? { puck: one[0], door: one[1] } : one));
    this.send = send;
    this.part = "flicked";
    byId("tell-parts").replaceChildren(...this.shown.map((part) => this.radio(part)), ...(byHand ? FOULS.map((foul) => this.foul(foul)) : []));
    byId("tell-pawns").replaceChildren(...this.board.teams.map((team) => this.row(team)));
    this.draw();
    this.dialog.showModal();
  }

  radio(part) {
    const input = h("input", { type: "radio", name: "tell-part", value: part, checked: part === this.part });
    input.addEventListener("change", () => {
      this.part = part;
      this.draw();
    });
    return h("label", {}, input, h("span", {}, this.nameOf(part)));
  }

  foul(name) {
    const input = h("input", { type: "checkbox", name: "tell-foul", value: name, checked: this.facts.fouls.includes(name) });
    input.addEventListener("change", () => {
      this.facts.fouls = FOULS.filter((one) => this.dialog.querySelector(`input[name="tell-foul"][value="${one}"]`).checked);
    });
    return h("label", {}, input, h("span", {}, t(`tell.${name}`)));
  }

  row(team) {
    return h("div", { class: "tell-row", role: "group", "aria-label": teamName(team.name) }, ...pawnsOf(team).map((pawn) => this.token(pawn)));
  }

  token(pawn) {
    const picture = puckToken(this.board, pawn);
    picture.setAttribute("aria-hidden", "true");
    const element = h("button", { type: "button", "data-pawn": pawn.puck, "aria-label": puckLabel(this.board, pawn) }, picture, h("span", { class: "tell-order" }));
    element.addEventListener("click", () => this.toggle(pawn.puck));
    return element;
  }

  toggle(key) {
    const { facts, part } = this;
    if (part === "flicked") {
      facts.flicked = key;
      facts.touched = facts.touched.filter((one) => one !== key);
      this.choosePart("touched");
    } else if (part.startsWith("door:")) {
      const door = part.slice(5);
      const there = facts.doors.some((one) => one.puck === key && one.door === door);
      facts.doors = facts.doors.filter((one) => one.puck !== key);
      if (!there) facts.doors.push({ puck: key, door });
    } else {
      facts[part] = facts[part].includes(key) ? facts[part].filter((one) => one !== key) : [...facts[part], key];
    }
    if (facts.in_camp) facts.in_camp = facts.in_camp.filter((one) => facts.touched.includes(one));
    this.draw();
  }

  choosePart(part) {
    this.part = part;
    this.dialog.querySelector(`input[value="${part}"]`).checked = true;
  }

  /** The pawns that are named in a part, in order. */
  named(part) {
    const { facts } = this;
    if (part === "flicked") return facts.flicked ? [facts.flicked] : [];
    if (part.startsWith("door:")) return facts.doors.filter((one) => one.door === part.slice(5)).map((one) => one.puck);
    return facts[part];
  }

  draw() {
    const named = this.named(this.part);
    for (const element of this.dialog.querySelectorAll("[data-pawn]")) {
      const at = named.indexOf(element.dataset.pawn);
      element.setAttribute("aria-pressed", String(at >= 0));
      const pawn = element.dataset.pawn;
      element.disabled = (this.part === "touched" && pawn === this.facts.flicked) || (this.part === "in_camp" && !this.facts.touched.includes(pawn));
      element.querySelector(".tell-order").textContent = this.part === "touched" && at >= 0 ? String(at + 1) : "";
    }
    const told = this.shown.filter((part) => this.named(part).length);
    byId("tell-words").replaceChildren(...told.map((part) => h("li", {}, h("b", {}, this.nameOf(part)), " ", this.named(part).map((key) => this.wordsFor(key)).join(", "))));
    byId("tell-send").disabled = !this.facts.flicked;
  }

  wordsFor(key) {
    const pawn = this.board.teams.flatMap(pawnsOf).find((one) => one.puck === key);
    return pawn ? puckLabel(this.board, pawn) : key;
  }

  nameOf(part) {
    if (!part.startsWith("door:")) return t(`tell.${part}`);
    const door = this.board.doors.find((one) => one.name === part.slice(5));
    return t("tell.door", { team: teamName(door.team), place: doorBearing(door.name, door.team) });
  }

  async done(event) {
    event.preventDefault();
    if (await attemptOnce(() => this.send(this.facts, this.since))) this.dialog.close();
  }
}

/** Opens the dialog from anywhere on the page. */
export function askToTell(seen, send, byHand = false) {
  document.dispatchEvent(new CustomEvent("ask-tell", { detail: { seen, send, byHand } }));
}

/** All pawns of a side by the referee's keys: "red-7", or "red-a" where no numbers are printed. */
function pawnsOf(team) {
  const numbers = [...team.mercenaries, ...team.explorers].sort((a, b) => a - b);
  if (numbers.length) return numbers.map((number) => ({ puck: `${team.name}-${number}`, team: team.name, number }));
  const count = team.start_circles.length || 8;
  return Array.from({ length: count }, (_, i) => ({ puck: `${team.name}-${LETTERS[i]}`, team: team.name, number: LETTERS[i] }));
}
