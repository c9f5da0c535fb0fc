// Where the page's parts are put together.

import { loadAnew } from "./anew.js";
import { BoardView } from "./board.js";
import { CameraNote } from "./camera_note.js";
import { Controls } from "./controls.js";
import { byId } from "./dom.js";
import { showLink } from "./link.js";
import { closeMenuOutside } from "./menu.js";
import { showPanels } from "./panels.js";
import { calmly } from "./presses.js";
import { settings } from "./settings.js";
import { Stream } from "./stream.js";
import { Replay } from "./replay.js";
import { Tell } from "./tell.js";
import { speak } from "./texts.js";
import { Voice } from "./voice.js";

const boot = JSON.parse(byId("boot").textContent);
speak(boot.lang, boot.texts);
chooseThemeInPlace();
closeMenuOutside();

/** Pages without a board of their own: their script, and what it makes of it; what has a `show` gets each scoreboard.
 * @type {Record<string, [() => Promise<any>, (script: any) => any]>} */
const OTHERS = {
  games: [() => import("./games.js"), ({ Games }) => new Games(boot)],
  camera: [() => import("./camera.js"), ({ watchCamera }) => watchCamera()],
  lobby: [() => import("./lobby.js"), ({ Lobby }) => new Lobby(boot)],
  join: [() => import("./join.js"), ({ join }) => join(boot)],
  history: [() => import("./history.js"), ({ History }) => new History(boot)],
  help: [() => import("./help.js"), ({ help }) => help()],
};

/** Pages with a board: the script of their own.
 * @type {Record<string, () => Promise<any>>} */
const WITH_BOARD = {
  flick: () => import("./flick.js"),
  seat: () => import("./seat.js"),
  referee: () => import("./referee.js"),
};

const { board } = boot;
const parts = [];
let missed = false; // a script of this page
if (byId("stage")) {
  const view = new BoardView(byId("stage"), board);
  const own = WITH_BOARD[boot.page];
  const script = own && (await fetched(own)); // first: what makes buttons comes all at once, and nothing is pressed twice
  parts.push((score, live) => view.show(score, live));
  parts.push(calmly((score) => showPanels(board, score)));
  const tell = new Tell(board);
  parts.push((score) => tell.show(score));
  new Replay(board);
  const controls = new Controls(byId("controls"), board);
  parts.push((score, live) => controls.show(score, live));
  const voice = new Voice(boot.lang);
  parts.push((score) => voice.show(score));
  settings();
  if (script?.Hands) {
    const hands = new script.Hands(view, board);
    parts.push(() => hands.show());
  } else if (script?.Seat) {
    const seat = new script.Seat(boot);
    parts.push(calmly((score) => seat.show(score)));
  } else if (script?.Referee) new script.Referee();
} else if (OTHERS[boot.page]) {
  const [load, make] = OTHERS[boot.page];
  const script = await fetched(load);
  const page = script && make(script);
  if (page?.show) parts.push((score, live) => page.show(score, live));
}

if (boot.page !== "camera") { // which says more of it
  const note = new CameraNote();
  parts.push(calmly((score, live) => note.show(score, live)));
}

const now = { score: null, live: null };
const stream = new Stream("/api/stream", { onEvent: take, onState: standing, onTable: sameTable });
if (boot.score) { // the page came with a score: shown at once, and the stream goes on from there
  stream.lastId = boot.score.last_id;
  take("scoreboard", boot.score);
}
if (!missed || boot.score) document.dispatchEvent(new Event("page-ready")); // a board's page can be used without its own script
stream.run();

navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined); // no secure line: the page does without

/** A script of this page; null where the line was lost meanwhile. */
async function fetched(load) {
  try {
    return await load();
  } catch {
    missed = true;
    return null;
  }
}

/** How the page stands; as soon as there is a line, a page without its script is loaded anew. */
function standing(state, why) {
  showLink(state, why);
  if (missed && state === "live") loadAnew();
}

/** A companion that came back with another board, journal or version: this page was made for none of them. */
function sameTable(mark) {
  if (mark && boot.table && mark !== boot.table) loadAnew();
}

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
