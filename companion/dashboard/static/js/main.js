// Where the page's parts are put together.

import { BoardView } from "./board.js";
import { Controls } from "./controls.js";
import { byId } from "./dom.js";
import { showLink } from "./link.js";
import { showPanels } from "./panels.js";
import { settings } from "./settings.js";
import { Stream } from "./stream.js";
import { Replay } from "./replay.js";
import { Tell } from "./tell.js";
import { speak } from "./texts.js";
import { Voice } from "./voice.js";

const boot = JSON.parse(byId("boot").textContent);
speak(boot.lang, boot.texts);
chooseThemeInPlace();

/** Pages without a board of their own; what has a `show` gets each scoreboard. */
const OTHERS = {
  games: async () => new (await import("./games.js")).Games(boot),
  camera: async () => (await import("./camera.js")).watchCamera(),
  lobby: async () => new (await import("./lobby.js")).Lobby(boot),
  join: async () => (await import("./join.js")).join(boot),
  history: async () => new (await import("./history.js")).History(boot),
  help: async () => (await import("./help.js")).help(),
};

const { board } = boot;
const parts = [];
if (byId("stage")) {
  const view = new BoardView(byId("stage"), board);
  parts.push((score, live) => view.show(score, live));
  parts.push((score) => showPanels(board, score));
  new Tell(board);
  new Replay(board);
  const controls = new Controls(byId("controls"), board);
  parts.push((score, live) => controls.show(score, live));
  const voice = new Voice(boot.lang);
  parts.push((score) => voice.show(score));
  settings();
  if (boot.page === "flick") {
    const { Hands } = await import("./flick.js");
    const hands = new Hands(view, board);
    parts.push(() => hands.show());
  } else if (boot.page === "seat") {
    const { Seat } = await import("./seat.js");
    const seat = new Seat(boot);
    parts.push((score) => seat.show(score));
  } else if (boot.page === "referee") {
    new (await import("./referee.js")).Referee();
  }
} else if (OTHERS[boot.page]) {
  const page = await OTHERS[boot.page]();
  if (page?.show) parts.push((score, live) => page.show(score, live));
}

const now = { score: null, live: null };
const stream = new Stream("/api/stream", { onEvent: take, onState: showLink });
if (boot.score) { // the page came with a score: shown at once, and the stream goes on from there
  stream.lastId = boot.score.last_id;
  take("scoreboard", boot.score);
}
stream.run();

navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined); // no secure line: the page does without

function take(name, data) {
  if (name === "scoreboard") {
    now.score = data;
    stream.resetTo(data.last_id);
  } else if (name === "live") {
    now.live = data;
  } else {
    document.dispatchEvent(new CustomEvent("journal", { detail: data }));
    return;
  }
  if (!now.score) return;
  for (const show of parts) show(now.score, now.live);
  if (document.body.dataset.ready) return;
  document.body.dataset.ready = "true";
  performance.mark("score"); // from here on the page can be used
}

/** The theme's links work without a script; with one, the page is not loaded anew. */
function chooseThemeInPlace() {
  /** @type {NodeListOf<HTMLElement>} */
  const links = document.querySelectorAll("[data-theme-choice]");
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const choice = link.dataset.themeChoice;
      document.documentElement.dataset.theme = choice;
      document.cookie = `theme=${choice}; path=/; max-age=31536000; samesite=strict`;
      for (const one of links) one === link ? one.setAttribute("aria-current", "true") : one.removeAttribute("aria-current");
    });
  }
}
