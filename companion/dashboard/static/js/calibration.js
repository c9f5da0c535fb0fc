// The page for calibrating: the lens from live views, the camera's position, and the check with its pictures.

import { byId, h, s } from "./dom.js";
import { untouched } from "./presses.js";
import { ask, begun, say } from "./set_up.js";

const LOOK_MS = 150;
const WAIT_MS = 120;
const FLICK_MS = 250;
const CELLS = [4, 3];
const LOUPE = 0.4; // of the picture's shorter side
const ENLARGED = 5; // times, what lies around the corner that is aimed at
const STEP_PX = 10; // of the picture, an arrow key's; with Shift one pixel
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const WANTED = { nw: 0, ne: 3, sw: 8, se: 11 };

class Calibration {
  constructor() {
    this.stage = byId("stage");
    this.size = [1280, 720];
    this.corners = null;
    /** @type {[number, number]} where a corner is aimed at */
    this.at = [0, 0];
    this.looking = 0; // a number for each time that somebody begins to look, or ends it
    this.shown = 0;
    const click = (id, what) => byId(id).addEventListener("click", what);
    click("lens-begin", () => this.beginLens());
    click("lens-on", () => this.goOn());
    click("lens-finish", () => this.finishLens());
    click("pose-markers", () => this.pose(null));
    click("pose-corners", () => this.clickCorners());
    click("check", () => this.check());
    click("flick", () => this.flick());
    for (const kind of ["residuals", "uncertainty"]) click(`show-${kind}`, () => { this.instead(); this.show(`/calibration/${kind}.jpg`); });
    this.stage.addEventListener("click", (event) => { if (this.corners) this.corner(this.place(event)); });
    for (const kind of ["pointerdown", "pointermove"]) this.stage.addEventListener(kind, (event) => { if (this.corners) this.aim(this.place(event)); });
    this.stage.addEventListener("keydown", (event) => { if (this.corners) this.key(event); });
    this.show("/picture/camera.jpg");
    if (begun) this.showTaken(begun.taken);
  }

  /** Says something once: readers of screens say each change. */
  tell = (text) => { if (byId("how").textContent !== text) byId("how").textContent = text; };

  /** Shows a picture under what is drawn over it; true where there was one. */
  async show(path, over = []) {
    const turn = ++this.shown;
    const picture = new Image();
    const there = await new Promise((done) => { // a picture that is only to be decoded waits for a page that is drawn
      picture.addEventListener("load", () => done(true));
      picture.addEventListener("error", () => done(false));
      picture.src = `${path}?at=${Math.floor(performance.now())}`;
    });
    if (!there || turn !== this.shown) return there; // a newer one was asked for meanwhile
    const [width, height] = [picture.naturalWidth, picture.naturalHeight];
    this.size = [width, height];
    this.stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.stage.replaceChildren(s("image", { href: picture.src, width, height }), ...over);
    return true;
  }

  /** Something else is done from now on: nobody looks, and no corners are clicked, until it says so. Gives its number. */
  instead() {
    this.corners = null;
    this.looking += 1;
    return this.looking;
  }

  // -- lens ----------------------------------------------------------------------------------------
  async beginLens() {
    this.corners = null;
    const { looking } = this;
    const begun = await ask("/api/calibration/lens/begin", { pattern: byId("pattern").value }, this.tell);
    if (!begun) return;
    this.turn = begun.turn;
    byId("lens-finish").disabled = true;
    byId("lens-said").replaceChildren();
    byId("lens-on").hidden = looking === this.looking;
    if (looking === this.looking) this.lookOn(this.instead()); // else something else is done meanwhile
  }

  /** Goes on with the views that are there since the page was left. */
  goOn() {
    this.turn ??= begun.turn;
    byId("lens-on").hidden = true;
    this.lookOn(this.instead());
  }

  showTaken(count) {
    byId("lens-taken").textContent = say(count === 1 ? "calibration.taken_one" : "calibration.taken", { count });
    byId("lens-finish").disabled = count < 3;
  }

  /** Looks and tells until somebody does something else. */
  async lookOn(turn) {
    const goesOn = () => turn === this.looking;
    while (goesOn()) {
      const on = () => { if (goesOn()) byId("lens-on").hidden = false; }; // the views so far are there
      const look = await ask("/api/calibration/lens/look", { turn: this.turn }, (text) => goesOn() && this.tell(text), on);
      if (!look) return;
      await untouched();
      if (goesOn() && look.word !== "waiting") await this.showLook(look, goesOn);
      await pause(LOOK_MS);
    }
  }

  async showLook(look, goesOn) {
    const [w, hh] = look.size;
    const [cols, rows] = CELLS;
    const wanted = WANTED[look.missing[0]];
    const cells = look.coverage.map((count, i) => s("rect", {
      class: `cell${count ? " had" : ""}${i === wanted ? " wanted" : ""}`,
      x: (i % cols) * w / cols, y: Math.floor(i / cols) * hh / rows, width: w / cols, height: hh / rows,
    }));
    const seen = look.outline.length ? [s("polygon", { class: "seen", points: look.outline.map((p) => p.join()).join(" ") })] : [];
    await this.show("/picture/camera.jpg", [...cells, ...seen]);
    await untouched();
    if (!goesOn()) return;
    const next = look.enough ? say("calibration.enough") : say(`calibration.missing.${look.missing[0]}`);
    this.tell(`${say(`calibration.word.${look.word}`)} ${next}`);
    this.showTaken(look.taken);
    byId("lens-finish").classList.toggle("main", look.enough);
  }

  async finishLens() {
    this.instead();
    this.turn ??= begun?.turn;
    const fit = await ask("/api/calibration/lens/finish", { turn: this.turn }, this.tell);
    if (!fit) return;
    const lines = [
      say("calibration.lens_done", { focal: fit.focal_px, error: fit.focal_error_px, rms: Number(fit.rms_px.toFixed(2)), views: fit.views }),
      ...(fit.error_mm === null ? [] : [say("calibration.lens_sure", { mm: fit.error_mm })]),
      ...fit.dropped.map((one) => say("calibration.left_out", one)), ...fit.warnings, say("calibration.kept", { path: fit.path }),
    ];
    byId("lens-said").replaceChildren(...lines.map((line) => h("p", {}, line)));
    this.tell(lines[0]);
    if (fit.error_mm !== null) await this.show("/calibration/lens.jpg");
  }

  // -- position ------------------------------------------------------------------------------------
  async clickCorners() {
    const turn = this.instead();
    const there = await this.show("/picture/camera.jpg");
    if (turn !== this.looking) return undefined; // something else is done meanwhile
    if (!there) return this.tell(say("calibration.word.waiting"));
    this.corners = [];
    this.aim([this.size[0] / 2, this.size[1] / 2]);
    this.stage.focus(); // on a phone the picture is far above
    const first = say("boards.click_corner", { corner: say("boards.corner.0") });
    return this.tell(matchMedia("(hover: hover)").matches ? `${first} ${say("calibration.by_keys")}` : first);
  }

  /** Where a pointer is in the picture. @returns {[number, number]} */
  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.stage.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  /** Shows what lies around a place enlarged, in the corner of the picture that is furthest away. */
  aim([x, y]) {
    this.at = [x, y];
    const [w, hh] = this.size;
    const side = Math.min(w, hh) * LOUPE;
    const part = side / ENLARGED;
    const box = { x: x < w / 2 ? w - side : 0, y: y < hh / 2 ? hh - side : 0, width: side, height: side };
    const line = (x1, y1, x2, y2) => s("line", { class: "draft", x1, y1, x2, y2 });
    this.stage.querySelector(".loupe")?.remove();
    this.stage.append(s("g", { class: "loupe" },
      s("svg", { ...box, viewBox: `${x - part / 2} ${y - part / 2} ${part} ${part}` },
        this.stage.querySelector("image").cloneNode(), line(x - part, y, x + part, y), line(x, y - part, x, y + part)),
      s("rect", { class: "draft", ...box }), s("circle", { class: "draft", cx: x, cy: y, r: w / 160 })));
  }

  key(event) {
    const way = ARROWS[event.key];
    const step = event.shiftKey ? 1 : STEP_PX;
    const moved = (axis) => Math.min(Math.max(this.at[axis] + way[axis] * step, 0), this.size[axis]);
    if (way) this.aim([moved(0), moved(1)]);
    else if (event.key === "Enter" || event.key === " ") this.corner(this.at);
    else if (event.key === "Backspace") this.takeBack();
    else return;
    event.preventDefault();
  }

  takeBack() {
    if (!this.corners.pop()) return;
    [...this.stage.querySelectorAll(".seen")].at(-1).remove();
    this.tell(say("boards.click_corner", { corner: say(`boards.corner.${this.corners.length}`) }));
  }

  corner([x, y]) {
    const [w, hh] = this.size;
    if (x < 0 || y < 0 || x > w || y > hh) return undefined; // beside the picture
    const { corners } = this;
    corners.push([x - 0.5, y - 0.5]); // (0, 0) is the middle of the first pixel
    this.stage.append(s("circle", { class: "seen", cx: x, cy: y, r: w / 160 }));
    if (corners.length < 4) return this.tell(say("boards.click_corner", { corner: say(`boards.corner.${corners.length}`) }));
    this.corners = null;
    this.stage.querySelector(".loupe")?.remove();
    return this.pose(corners);
  }

  async pose(corners) {
    this.looking += 1;
    const found = await ask("/api/calibration/pose", { corners, size: corners && this.size }, this.tell);
    if (!found) return;
    const done = say("calibration.pose_done", { source: found.source, rms: found.rms_px, mm: found.error_mm ?? "?", height: found.height_mm });
    const lines = [done, ...found.warnings, say("calibration.kept_pose", { path: found.path })];
    byId("pose-said").replaceChildren(...lines.map((line) => h("p", {}, line)));
    this.tell([done, ...found.warnings.slice(0, 1)].join(" ")); // with what is most doubtful about it
  }

  // -- check ---------------------------------------------------------------------------------------
  async check() {
    this.checking(true);
    let state = await ask("/api/calibration/check/begin", {}, this.tell);
    while (state && state.frames < state.needed) {
      this.tell(say("calibration.checking", state));
      await pause(WAIT_MS);
      state = await ask("/api/calibration/check/look", {}, this.tell);
    }
    const found = state && (await ask("/api/calibration/check/finish", {}, this.tell));
    this.checking(false);
    if (found) await this.showCheck(found);
  }

  /** Films every frame for some seconds; what is to be done meanwhile is told. */
  async flick() {
    const film = byId("flick-left");
    this.checking(true);
    let state = await ask("/api/calibration/flick/begin", {}, this.tell);
    while (state && !state.done) {
      Object.assign(byId("flick-done"), { max: state.needed, value: state.seconds });
      const next = say(state.seconds < state.still ? "calibration.flick_still" : "calibration.flick_now");
      byId("flick-do").textContent = next; // beside the button, too: on a phone the picture is far above
      film.hidden = false;
      this.tell(next);
      await pause(FLICK_MS);
      state = await ask("/api/calibration/flick/look", {}, this.tell);
    }
    film.hidden = true;
    if (state) this.tell(say("calibration.flick_measuring"));
    const found = state && (await ask("/api/calibration/flick/finish", {}, this.tell));
    this.checking(false);
    if (found) await this.showCheck(found);
  }

  checking(on) {
    this.instead();
    for (const id of ["check", "flick"]) byId(id).disabled = on;
  }

  async showCheck(found) {
    byId("check-grade").hidden = false;
    byId("check-grade").dataset.grade = found.grade;
    byId("check-grade").textContent = say(`calibration.grade.${found.grade}`);
    byId("findings").replaceChildren(...found.findings.map((one) => h("li", { "data-grade": one.grade },
      h("b", {}, one.name), one.text, one.advice ? h("small", {}, one.advice) : null)));
    this.tell(say(`calibration.grade.${found.grade}`));
    await this.show("/calibration/uncertainty.jpg");
    byId("check-pictures").hidden = false;
  }
}

function pause(ms) {
  return new Promise((done) => { setTimeout(done, ms); });
}

new Calibration();
document.dispatchEvent(new Event("page-ready"));
