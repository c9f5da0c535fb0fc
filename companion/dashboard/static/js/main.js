// Where the page's parts are put together.

import { BoardView } from "./board.js";
import { Controls } from "./controls.js";
import { byId } from "./dom.js";
import { showLink } from "./link.js";
import { showPanels } from "./panels.js";
import { Stream } from "./stream.js";
import { Replay } from "./replay.js";
import { Tell } from "./tell.js";
import { speak } from "./texts.js";

const boot = JSON.parse(byId("boot").textContent);
speak(boot.lang, boot.texts);
chooseThemeInPlace();

const { board } = boot;
const parts = [];
if (byId("stage")) {
  const view = new BoardView(byId("stage"), board);
  parts.push((score, live) => view.show(score, live));
  parts.push((score) => showPanels(board, score));
  new Tell(board);
  new Replay();
  const controls = new Controls(byId("controls"), board);
  parts.push((score, live) => controls.show(score, live));
  if (boot.page === "flick") {
    const { Hands } = await import("./flick.js");
    const hands = new Hands(view, board);
    parts.push((score, live) => hands.show(score, live));
  }
} else if (boot.page === "games") {
  const { Games } = await import("./games.js");
  const games = new Games(boot);
  parts.push((score) => games.show(score));
} else {
  const { watchCamera } = await import("./camera.js");
  watchCamera();
}

const now = { score: null, live: null };
const stream = new Stream("/api/stream", { onEvent: take, onState: showLink });
stream.run();

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
  if (now.score) for (const show of parts) show(now.score, now.live);
}

/** The theme's links work without a script; with one, the page is not loaded anew. */
function chooseThemeInPlace() {
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
