// The film of a shot in slow motion: it plays over and over, or is looked at picture by picture.

import { getJson, post } from "./api.js";
import { byId, h } from "./dom.js";
import { filmMap } from "./filmmap.js";
import { attempt } from "./link.js";
import { drawShot } from "./shotmap.js";
import { decimal, t, told } from "./texts.js";

const SLOWER = 4; // a touch lasts a twentieth of a second
const HEAD_BYTES = 4;
const REST_MS = 900; // the last picture stays a little before the film begins again

export class Replay {
  constructor(board) {
    this.board = board;
    this.dialog = byId("replay");
    this.canvas = byId("replay-film");
    this.at = byId("replay-at");
    this.film = null;
    this.map = null;
    this.playing = false;
    this.timer = 0;
    this.opened = 0;
    this.at.addEventListener("input", () => this.look(Number(this.at.value)));
    byId("replay-play").addEventListener("click", () => this.play(!this.playing));
    byId("replay-save").addEventListener("click", () => attempt(() => this.save()));
    byId("replay-back").addEventListener("click", () => this.look(this.index - 1));
    byId("replay-on").addEventListener("click", () => this.look(this.index + 1));
    this.dialog.addEventListener("close", () => this.play(false));
    document.addEventListener("ask-replay", ({ detail }) => attempt(() => this.open(detail)));
  }

  /** Opens the film of a shot; of several that are on their way, the one that was asked for last. */
  async open(entry) {
    const turn = ++this.opened;
    const response = await fetch(`/replay/${entry}`);
    if (!response.ok) throw new Error(t("replay.none"));
    const [shot, film] = await Promise.all([getJson(`/api/shot/${entry}`), response.arrayBuffer()]);
    if (turn !== this.opened) return;
    this.entry = entry;
    this.tell(shot);
    this.film = unpack(film);
    this.map = this.film.drawn ? filmMap(this.board, this.film.drawn) : null;
    byId("replay-over").replaceChildren(...(this.map ? [this.map.svg] : []));
    this.at.max = String(this.film.pictures.length - 1);
    await this.show(0);
    if (turn !== this.opened) return;
    this.dialog.showModal();
    this.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** What is known of the shot, beside its film: the ways, the touches, the verdict with its rules. */
  tell(shot) {
    byId("replay-map").replaceChildren(...(shot.ways.length ? drawShot(this.board, shot) : []));
    const lines = shot.lines.map((line) => h("li", {}, told(line), " ",
      ...(line.rules ?? []).map((rule) => h("a", { class: "rule", href: `/help#${rule}` }, rule))));
    const corrected = shot.corrected ? [h("li", {}, t("replay.corrected"))] : [];
    byId("replay-said").replaceChildren(...lines, ...corrected);
  }

  /** Keeps the film beyond the last ones, and hands it over with all that was said of the shot. */
  async save() {
    await post(`/api/dispute/${this.entry}`, {});
    h("a", { href: `/recording/${this.entry}.zip`, download: "" }).click();
  }

  play(on) {
    clearTimeout(this.timer);
    this.playing = on && this.dialog.open;
    byId("replay-play").textContent = this.playing ? t("replay.stop") : t("replay.play");
    if (this.playing) this.next();
  }

  async next() {
    const { times, pictures } = this.film;
    const index = this.index >= pictures.length - 1 ? 0 : this.index + 1;
    await this.show(index);
    if (!this.playing) return;
    const last = index === pictures.length - 1;
    const wait = last ? REST_MS : (times[index + 1] - times[index]) * 1000 * SLOWER;
    this.timer = setTimeout(() => this.next(), wait);
  }

  look(index) {
    this.play(false);
    return this.show(Math.min(Math.max(index, 0), this.film.pictures.length - 1));
  }

  async show(index) {
    this.index = index;
    const picture = await createImageBitmap(this.film.pictures[index]);
    if (index !== this.index) return; // a newer one was asked for meanwhile
    this.canvas.width = picture.width;
    this.canvas.height = picture.height;
    this.canvas.getContext("2d").drawImage(picture, 0, 0);
    this.map?.at(this.film.times[index]);
    this.at.value = String(index);
    this.at.setAttribute("aria-valuetext", t("replay.at", { value: decimal(this.film.times[index] - this.film.times[0], 2) }));
  }
}

/** Opens the film of a shot from anywhere on the page. */
export function askToReplay(entry) {
  document.dispatchEvent(new CustomEvent("ask-replay", { detail: entry }));
}

/** The server's form of a film: the length of a JSON, that JSON, the JPEGs one after the other. */
function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0);
  const { times_s: times, sizes, drawn } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEAD_BYTES, length)));
  let from = HEAD_BYTES + length;
  const pictures = sizes.map((size) => new Blob([new Uint8Array(buffer, (from += size) - size, size)], { type: "image/jpeg" }));
  return { times, pictures, drawn };
}
