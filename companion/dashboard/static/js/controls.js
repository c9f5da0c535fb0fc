// Undo, pause, new match.

import { command, letPlayers } from "./api.js";
import { byId, h, s } from "./dom.js";
import { attemptOnce } from "./link.js";
import { Meant, firstTap } from "./presses.js";
import { SameMatch } from "./same_match.js";
import { t, teamName } from "./texts.js";
import { takeBack } from "./undo.js";

const ICONS = {
  undo: "M3 7h8a4 4 0 0 1 0 8H6M3 7l4-4M3 7l4 4",
  pause: "M6 3v12M12 3v12",
  play: "M5 3l10 6-10 6z",
  screen: "M2 4h14v9H2zM6 16h6M9 13v3",
  add: "M9 3v12M3 9h12",
  hand: "M6 9V4.500a1 1 0 0 1 2 0V8V3.500a1 1 0 0 1 2 0V8V4.500a1 1 0 0 1 2 0V11c0 3-1.500 4.500-4 4.500S4.500 14 3 11l-.5-1c1-1 2-.5 3.500 1",
  circles: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM9 7.500v3M7.500 9h3",
};

export function button(label, icon, action, id) {
  const path = s("path", { d: ICONS[icon], fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" });
  const element = h("button", { class: "button", type: "button", id }, s("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, path), h("span", {}, label));
  element.addEventListener("click", async () => {
    if (element.ariaBusy) return; // and not disabled: whoever uses keys would have to look for it anew
    element.ariaBusy = "true";
    await action();
    element.ariaBusy = null;
  });
  return element;
}

export class Controls {
  constructor(place, board) {
    this.score = {};
    this.pausing = new Meant();
    this.playing = new Meant();
    const dialog = this.dialog = new NewMatch(board);
    this.undo = button(t("control.undo"), "undo", () => takeBack(this.score), "undo");
    this.pause = button(t("control.pause"), "pause", () => this.pausing.press((what) => attemptOnce(() => command(what))), "pause");
    this.match = button(t("control.new_match"), "add", () => dialog.ask(this.score), "open-new-match");
    this.others = button(t("control.i_play"), "hand", () => this.playing.press((what) => attemptOnce(() => letPlayers(what === "play"))), "players");
    this.screen = button(t("control.screen"), "screen", () => document.dispatchEvent(new CustomEvent("ask-settings")), "open-settings");
    place.append(this.undo, this.pause, this.match, this.others, this.screen);
    document.addEventListener("ask-new-match", () => dialog.ask(this.score));
  }

  show(score, live) {
    this.score = score;
    this.undo.classList.toggle("idle", score.can_undo === false);
    this.pausing.show(score.paused ? "resume" : "pause");
    relabel(this.pause, score.paused ? t("control.resume") : t("control.pause"), score.paused ? ICONS.play : ICONS.pause);
    const waiting = live?.players === "wait";
    this.playing.show(waiting ? "play" : "wait");
    this.others.hidden = !live || (live.players ?? "none") === "none";
    this.dialog.same.show(score);
    relabel(this.others, waiting ? t("control.they_play") : t("control.i_play"), waiting ? ICONS.play : ICONS.hand);
  }
}

function relabel(element, label, icon) {
  const words = element.querySelector("span");
  if (words.textContent === label) return;
  words.textContent = label;
  element.querySelector("path").setAttribute("d", icon);
}

/** The dialog that asks for the players' names. */
class NewMatch {
  constructor(board) {
    this.board = board;
    this.dialog = byId("new-match");
    this.same = new SameMatch(() => this.dialog.open, () => this.dialog.close());
    byId("new-match-start").addEventListener("click", (event) => this.start(event)); // Enter in a name presses it, too
    this.dialog.querySelector("[data-close]").addEventListener("click", () => this.dialog.close());
  }

  ask(score) {
    firstTap(); // its second half starts nothing
    this.seen = score.last_id;
    const names = new Map((score.players ?? []).map((player) => [player.team, player.name]));
    byId("new-match-names").replaceChildren(...this.board.teams.map((team) =>
      h("label", {}, t("match.plays", { team: teamName(team.name) }),
        h("input", { name: team.name, value: names.get(team.name) || teamName(team.name), maxlength: 40, required: true, autocomplete: "off" }))));
    this.dialog.showModal();
  }

  async start(event) {
    const form = byId("new-match-form");
    event.preventDefault();
    if (!form.reportValidity()) return;
    const players = Object.fromEntries(new FormData(form));
    const begin = byId("new-match-start");
    if (begin.ariaBusy) return; // the match that is on its way would be taken for another screen's
    begin.ariaBusy = "true";
    this.same.sending = true;
    if (await attemptOnce(() => command("new_match", { players, options: {}, seen: this.seen }))) this.dialog.close();
    this.same.sending = false;
    begin.ariaBusy = null;
  }
}
