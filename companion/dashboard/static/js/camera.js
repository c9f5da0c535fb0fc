// The camera's picture, asked for again as soon as the last one is there, and the state of the camera.

import { getJson } from "./api.js";
import { byId, h, replaceIfChanged } from "./dom.js";
import { decimal, t } from "./texts.js";

const MANY_DROPPED = 0.1; // of all pictures: from here on shots are told less surely

const PERIOD_MS = 200; // five pictures a second are enough to set a camera up, and little for the network
const MISSING_MS = 1000;
const FACTS_MS = 2000;
const LATE_MS = 10000; // on the slowest line that is worth one a picture comes sooner

let seen = false; // the picture that was asked for last
let away = false; // camera or server

export function watchCamera() {
  refresh();
  facts();
}

async function refresh() {
  const wait = document.hidden ? MISSING_MS : (await show()) ? PERIOD_MS : MISSING_MS;
  setTimeout(refresh, wait);
}

async function show() {
  const kind = document.querySelector('input[name="picture"]:checked').value;
  const picture = byId("picture");
  const next = new Image();
  next.src = `/picture/${kind}.jpg?at=${Math.floor(performance.now())}`;
  const there = await soon(next.decode().then(() => true), false);
  if (!there) next.src = ""; // it is waited for no longer
  seen = there;
  fade();
  byId("no-picture").hidden = there || !picture.hidden;
  if (there) {
    next.id = picture.id;
    next.alt = picture.alt;
    picture.replaceWith(next); // already decoded: no flicker, and no second request
  }
  return there;
}

/** What a promise gives; something else where it fails, or a half-dead line answers neither so nor so. */
function soon(promise, otherwise) {
  let timer = 0;
  const late = new Promise((done) => { timer = setTimeout(() => done(otherwise), LATE_MS); });
  return Promise.race([promise.catch(() => otherwise), late]).finally(() => clearTimeout(timer));
}

/** A picture that is not of now stays, and is seen to be an old one. */
function fade() {
  const picture = byId("picture");
  picture.parentElement.dataset.old = String(away || (!seen && !picture.hidden));
}

async function facts() {
  const health = await soon(getJson("/healthz"), null);
  const camera = health?.camera ?? {};
  const rows = [
    [t("camera.state"), health ? stateText(camera.state) : t("link.lost")],
    [t("camera.fps"), number(camera.fps, 0)],
    [t("camera.age"), camera.last_frame_age_s == null ? "–" : t("camera.seconds", { value: number(camera.last_frame_age_s, 1) })],
  ];
  if (camera.dropped) rows.push([t("camera.dropped"), number(camera.dropped, 0)]);
  const advice = cameraAdvice(camera);
  away = ["stalled", "lost"].includes(camera.state) || !health;
  fade();
  byId("camera-advice").textContent = advice ?? "";
  byId("camera-advice").hidden = !advice;
  byId("facts").replaceChildren(...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  const { doubts } = await soon(getJson("/api/camera"), { doubts: [] });
  replaceIfChanged(byId("camera-doubts"), JSON.stringify(doubts), () => doubts.map((doubt) => h("li", {}, doubt))); // told once
  setTimeout(facts, FACTS_MS);
}

/** What to do about the camera, where there is something to do. */
export function cameraAdvice({ state, fps, dropped_fps: dropped, why }) {
  if (state === "lost" && why === "resized") return t("advice.resized");
  const known = { stalled: t("advice.stalled"), lost: t("advice.lost"), ended: t("advice.ended") };
  return known[state] ?? (dropped > MANY_DROPPED * (fps + dropped) ? t("advice.dropped") : undefined);
}

function number(value, digits) {
  return value == null ? "–" : decimal(value, digits);
}

/** The state of the camera in words. */
export function stateText(state) {
  const words = {
    starting: t("camera.starting"), running: t("camera.running"), stalled: t("camera.stalled"),
    lost: t("camera.lost"), ended: t("camera.ended"), off: t("camera.off"),
  };
  return words[state] ?? state ?? "–";
}
