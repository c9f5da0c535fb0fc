// The page for boards: measures, picture, drawing, colours, and the file that comes of it or is opened.

import { Again } from "./api.js";
import { byId, h, redraw } from "./dom.js";
import { BoardFiles } from "./board_files.js";
import { calmly, untouched } from "./presses.js";
import { ask, fileTeam, language, readTeam, say, sendFile } from "./set_up.js";
import { figure } from "./texts.js";
import { CIRCLES, Drawing, OWNED, RECTANGLES } from "./sketch_drawing.js";
import { copies, distance, meant, seen, snap } from "./sketch_geometry.js";
import { SketchView } from "./sketch_view.js";
import { wishes } from "./wishes.js";

const CLICK_PX = 5; // a pointer that moves further drags
const FINGER_CLICK_PX = 12; // a finger rolls while it taps
const SNAP_PX = 7;
const CLOSE_PX = 10; // a click this near to a polygon's first point closes it
const FINGER_CLOSE_PX = 22; // a finger hides what it taps
const CHECK_MS = 350;
const MEASURES = ".set-up .fields input[data-measure]";
const DRAWN_HEIGHTS = { facade: "facade_height", reef: "reef_height" };

/** Brings the board into sight where it lies above what was tapped: it goes on there. */
function toStage() {
  if (matchMedia("(pointer: coarse)").matches) byId("stage").scrollIntoView({ block: "nearest" });
}

const byFinger = ({ pointerType }) => pointerType === "touch";

/** @returns {HTMLInputElement[]} */
const fields = () => Array.from(document.querySelectorAll(MEASURES));

class Boards {
  constructor() {
    this.view = new SketchView(byId("stage"));
    this.drawing = new Drawing(() => this.showAll());
    this.points = []; // of the shape that is being drawn, mm
    this.chosen = null;
    this.above = null; // what the server told of the picture from above
    this.corners = null; // while corners are clicked: those so far, pixels
    this.picking = null; // while a colour is picked: [team, field]
    this.wrong = new Set();
    this.looks = 0;
    this.checks = 0;
    this.again = new Again();
    this.drawTeams = calmly(() => redraw(byId("teams"), ...this.drawing.now.teams.map((team, index) => this.teamFields(team, index))));
    document.body.classList.toggle("no-keys", !wishes().keys);
    this.listen();
    this.files = new BoardFiles(this.drawing, () => this.body(), () => { this.chosen = null; });
    this.showAll();
    this.files.showList();
  }

  // -- measures ------------------------------------------------------------------------------------
  number(id) {
    return Number(byId(id).value) || 0;
  }

  get size() {
    return [this.number("width") || 1, this.number("height") || 1];
  }

  get tool() {
    return document.querySelector('input[name="tool"]:checked').value;
  }

  get camera() {
    return this.above?.camera_mm ?? null;
  }

  heightOf = (shape) => shape.height ?? (shape.kind in DRAWN_HEIGHTS ? this.number(DRAWN_HEIGHTS[shape.kind]) : 0);

  body() {
    const rim = { width: this.number("rim_width"), height: this.number("rim_height") };
    const reef = { length: this.number("reef_length"), width: this.number("reef_width"), height: this.number("reef_height") };
    const { teams, shapes, mirror, source, keep_markers } = this.drawing.now;
    const name = byId("name").value;
    return {
      source, keep_markers, name: name.trim() ? name : "Board", size: this.size, rim, mirror, teams,
      puck: { diameter: this.number("puck_diameter"), height: this.number("puck_height") },
      reef: reef.length && reef.width ? reef : null,
      markers: this.number("markers"),
      shapes: shapes.map((shape) => ({ ...shape, height: shape.kind in DRAWN_HEIGHTS ? this.heightOf(shape) : null })),
    };
  }

  // -- listening -----------------------------------------------------------------------------------
  listen() {
    const click = (id, what) => byId(id).addEventListener("click", what);
    click("undo", () => this.drawing.undo());
    click("redo", () => this.drawing.redo());
    click("delete", () => this.remove());
    click("zoom-in", () => this.zoom(1.6));
    click("zoom-out", () => this.zoom(1 / 1.6));
    click("zoom-all", () => { this.view.lookAtAll(); this.changed(); });
    click("from-camera", () => this.takePicture(() => ask("/api/boards/picture/camera", {}, this.tell)));
    click("by-markers", () => this.seeFromAbove(null));
    click("by-corners", () => this.clickCorners());
    click("new", () => { this.chosen = null; this.drawing.restart(); });
    byId("from-file").addEventListener("change", (event) => {
      const [file] = event.target.files;
      event.target.value = ""; // so that the same one can be chosen again
      if (file) this.takePicture(() => sendFile("/api/boards/picture", file, this.tell));
    });
    byId("mirror").addEventListener("change", (event) => this.drawing.change((d) => { d.mirror = event.target.value; }));
    for (const id of ["team", "swap"]) byId(id).addEventListener("change", () => this.giveChosen());
    for (const tool of document.querySelectorAll('input[name="tool"]')) tool.addEventListener("change", () => { this.begin(tool.value); toStage(); });
    for (const field of fields()) {
      field.addEventListener("change", () => this.drawing.change((d) => { d.measures[field.id] = field.value; }));
    }
    byId("keep-markers").addEventListener("change", (e) => this.drawing.change((d) => { d.keep_markers = e.target.checked; }));
    document.addEventListener("keydown", (event) => this.key(event));
    const stage = byId("stage");
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    stage.addEventListener("pointerup", (event) => this.up(event));
    stage.addEventListener("pointercancel", () => this.letGo());
    stage.addEventListener("wheel", () => this.changed(false), { passive: true });
  }

  key(event) {
    if (event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea")) return;
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (undo || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y")) {
      event.preventDefault();
      return undo && !event.shiftKey ? this.drawing.undo() : this.drawing.redo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && this.points.length && !event.target.closest("button, a, summary")) this.finish();
    else if (event.key === "Escape") this.begin(this.tool);
    else if (event.key === "Delete") this.remove();
    else if (!wishes().keys) return;
    else if (event.key === "o") byId("round").click();
    else {
      const tool = document.querySelector(`input[name="tool"][data-key="${CSS.escape(event.key.toLowerCase())}"]`);
      if (tool) { tool.checked = true; this.begin(tool.value); }
    }
  }

  zoom(times) {
    this.view.zoom(times);
    this.changed(false);
  }

  tell = (text) => { byId("how").textContent = text; };

  // -- picture -------------------------------------------------------------------------------------
  async takePicture(take) {
    this.tell(say("boards.taking"));
    const taken = await take();
    if (!taken) return;
    this.pictureSize = taken.size;
    this.picture = taken.picture;
    this.above = null;
    if (this.number("markers") || this.drawing.now.keep_markers) await this.seeFromAbove(null);
    else this.clickCorners();
  }

  async seeFromAbove(corners) {
    const { size, rim, markers, source, keep_markers } = this.body();
    const above = await ask("/api/boards/above", { size, rim, markers, source, keep_markers, corners, picture: this.picture ?? null }, this.tell);
    if (!above) {
      if (this.pictureSize && (!corners || corners === this.corners)) this.clickCorners(byId("how").textContent);
      return;
    }
    this.above = above;
    this.clicked4 = corners;
    this.corners = null;
    this.view.showAbove(`/boards/above.jpg?${++this.looks}`, size);
    const key = above.source === "markers" ? "boards.above_by_markers" : "boards.above_by_corners";
    const crooked = above.misfits.length ? say("boards.misfit", { number: above.misfits.join(", ") }) : "";
    const doubt = crooked || (above.fits ? "" : say("boards.misfits", { px: above.rms_px }));
    byId("above-said").textContent = doubt || say(key, { mm: above.error_mm ?? "?" });
    this.begin(this.tool);
    if (corners === null) toStage();
  }

  clickCorners(because = "") {
    if (!this.pictureSize) return this.tell(say("boards.no_picture"));
    this.corners = [];
    toStage();
    this.view.showPicture(`/boards/picture.jpg?${++this.looks}`, this.pictureSize);
    this.view.showDraft("", [], null, null);
    const first = say("boards.click_corner", { corner: say("boards.corner.0") });
    this.tell(because ? `${because} – ${first}` : first);
  }

  corner(at) {
    if (this.corners.length === 4) return undefined; // what is seen by them is on its way
    this.corners.push([at[0] - 0.5, at[1] - 0.5]); // (0, 0) is the middle of the first pixel
    this.view.showDraft("", this.corners.map(([x, y]) => [x + 0.5, y + 0.5]), null, null);
    if (this.corners.length === 4) return this.seeFromAbove(this.corners);
    return this.tell(say("boards.click_corner", { corner: say(`boards.corner.${this.corners.length}`) }));
  }

  // -- drawing -------------------------------------------------------------------------------------
  begin(tool) {
    this.points = [];
    this.picking = null;
    if (tool !== "select") this.chosen = null;
    byId("swap").value = tool === "reef" ? "diagonal" : "sides";
    const how = CIRCLES.includes(tool) ? "circle" : RECTANGLES.includes(tool) ? "rectangle"
      : { select: "select", door: "line", start: "point" }[tool] ?? "polygon";
    this.tell(tool === "no_reef" && byId("round").checked ? say("boards.how.circle") : say(`boards.how.${how}`));
    this.changed();
  }

  get height() {
    return this.heightOf({ kind: this.tool });
  }

  /** The place on the board that a pointer means, pulled to what is near. */
  aim(event, but = null) {
    const at = meant(this.view.place(event), this.height, this.camera);
    const points = this.drawing.shapes.filter((shape) => shape.id !== but).flatMap((shape) =>
      copies(shape, this.drawing.now.mirror, this.size, this.drawing.now.teams.length)
        .flatMap((copy) => (copy.circle ? [copy.circle.slice(0, 2)] : copy.points)));
    const on = byId("snap").checked && !event.altKey;
    return snap(at, { reach: SNAP_PX * this.view.pixel, size: this.size, points: [...points, ...this.points], on });
  }

  get isRound() {
    return CIRCLES.includes(this.tool) || (this.tool === "no_reef" && byId("round").checked);
  }

  down(event) {
    if (event.button > 1 || (this.drag && !event.isPrimary)) return; // a second finger is none that draws
    byId("stage").focus({ preventScroll: true });
    const { handle, shape } = event.target.dataset ?? {}; // once captured, the target is the stage
    this.drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, at: this.view.place(event), moved: false, handle, shape, pan: event.button === 1 };
    byId("stage").setPointerCapture(event.pointerId);
  }

  move(event) {
    const drag = this.drag;
    if (drag && event.pointerId !== drag.pointer) return undefined;
    if (drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > (byFinger(event) ? FINGER_CLICK_PX : CLICK_PX)) drag.moved = true;
    if (drag?.moved && drag.handle !== undefined && this.chosen) return this.dragHandle(event, Number(drag.handle));
    if (drag?.moved) {
      const at = this.view.place(event);
      this.view.pan(at[0] - drag.at[0], at[1] - drag.at[1]);
      return undefined;
    }
    return this.preview(event);
  }

  up(event) {
    const { drag, moved } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.letGo();
    if (drag.pan) return;
    if (!drag.moved) this.clicked(event, drag.shape ?? null);
    else if (moved && this.drawing.shape(this.chosen)) this.drawing.change((d) => { Object.assign(d.shapes.find((s) => s.id === this.chosen), moved); });
  }

  /** Ends a drag; what was moved is where it was, unless that is kept. */
  letGo() {
    const { moved } = this;
    this.drag = this.moved = null;
    if (moved) this.changed(false);
  }

  clicked(event, shape) {
    if (this.corners) this.corner(this.view.place(event));
    else if (this.picking) this.pick(this.view.place(event));
    else if (this.tool === "select") this.choose(shape ?? this.below(event));
    else this.addPoint(event);
  }

  /** The shape below a handle that was tapped. */
  below({ clientX, clientY }) {
    const shapes = document.elementsFromPoint(clientX, clientY).map((one) => /** @type {any} */ (one).dataset.shape);
    return shapes.find((shape) => shape !== undefined) ?? null;
  }

  addPoint(event) {
    const { place } = this.aim(event);
    const polygon = !this.isRound && ["sanctuary", "no_reef"].includes(this.tool);
    if (polygon && this.points.length > 1 && distance(place, this.points[0]) < (byFinger(event) ? FINGER_CLOSE_PX : CLOSE_PX) * this.view.pixel) return this.finish();
    this.points.push(place);
    if (this.tool === "start" || (!polygon && this.points.length === 2)) this.finish();
    return this.preview(event);
  }

  preview(event) {
    if (this.corners || this.picking || this.tool === "select" || !event) return;
    const { place, caught } = this.aim(event);
    const top = (p) => seen(p, this.height, this.camera);
    const points = [...this.points, place];
    const kind = this.isRound ? "round" : RECTANGLES.includes(this.tool) ? "box" : this.tool;
    const last = this.points.at(-1);
    const mm = (v) => figure(v, language, 1);
    const label = last ? `${mm(distance(last, place))} mm` : place.map(mm).join(language === "fr" ? " ; " : ", ");
    this.view.showDraft(kind, points.map(top), caught && top(caught), label);
  }

  finish() {
    const kind = this.tool;
    const shape = { kind, team: this.teamFor(kind), points: [], circle: null, swap: byId("swap").value };
    const [a, b] = this.points;
    if (this.isRound && b) shape.circle = [...a, Math.round(distance(a, b) * 2) / 2];
    else if (!this.isRound && this.points.length === 2 && kind !== "door") shape.points = [a, [b[0], a[1]], b, [a[0], b[1]]];
    else if (!this.isRound) shape.points = this.points;
    const least = { door: 2, start: 1 }[kind] ?? 3;
    this.points = [];
    this.view.showDraft("", [], null, null);
    if (shape.circle ? shape.circle[2] > 0 : shape.points.length >= least) this.drawing.add(shape);
  }

  teamFor(kind) {
    const value = byId("team").value;
    return OWNED.includes(kind) && value !== "" ? Number(value) : null;
  }

  choose(id) {
    this.chosen = id;
    const shape = this.drawing.shape(id);
    if (shape) {
      byId("team").value = shape.team ?? "";
      byId("swap").value = shape.swap;
    }
    this.changed(false);
  }

  giveChosen() {
    const shape = this.drawing.shape(this.chosen);
    if (!shape) return;
    const value = byId("team").value;
    const team = shape.origin ? (value === "" ? null : Number(value)) : this.teamFor(shape.kind);
    this.drawing.change((d) => Object.assign(d.shapes.find((s) => s.id === this.chosen), { team, swap: byId("swap").value }));
  }

  remove() {
    if (this.points.length) { this.points.pop(); return; }
    const id = this.chosen;
    if (!id) return;
    this.chosen = null;
    this.drawing.change((d) => { d.shapes = d.shapes.filter((shape) => shape.id !== id); });
  }

  dragHandle(event, index) {
    const shape = structuredClone(this.drawing.shape(this.chosen));
    if (!shape) return; // it was deleted, or undone, meanwhile
    const at = meant(this.view.place(event), this.heightOf(shape), this.camera);
    const { place } = index || !shape.circle ? this.aimAt(event, at, shape.id) : this.aim(event, shape.id);
    if (!shape.circle) shape.points[index] = place;
    else if (index) shape.circle[2] = Math.round(distance(shape.circle, place) * 2) / 2;
    else shape.circle = [...place, shape.circle[2]];
    this.moved = { points: shape.points, circle: shape.circle };
    const shapes = this.drawing.shapes.map((one) => (one.id === shape.id ? shape : one));
    this.show({ ...this.drawing.now, shapes });
  }

  aimAt(event, at, but) {
    return byId("snap").checked && !event.altKey ? this.aim(event, but) : { place: at };
  }

  // -- colours -------------------------------------------------------------------------------------
  showTeams() {
    const { teams } = this.drawing.now;
    const chosen = byId("team").value;
    this.shownTeams = JSON.stringify(teams);
    this.picking = null; // whose colour it was may be gone
    byId("team").replaceChildren(...teams.map((team, index) => h("option", { value: index }, readTeam(team.name))), h("option", { value: "" }, say("boards.nobody")));
    if (chosen === "" ? this.chosen : Number(chosen) < teams.length) byId("team").value = chosen;
    this.drawTeams();
  }

  teamFields(team, index) {
    const set = (field, value) => this.drawing.change((d) => { d.teams[index][field] = value; });
    const name = h("input", { id: `team-${index}-name`, value: readTeam(team.name), maxlength: 40, autocomplete: "off", onchange: (e) => set("name", fileTeam(e.target.value)) });
    const paints = ["colour", "digit_colour", "reef_colour"].map((field) => {
      const id = `team-${index}-${field}`;
      return h("div", { class: "paint" },
        h("input", { type: "color", id, value: team[field] ?? team.colour, onchange: (e) => set(field, e.target.value) }),
        h("label", { for: id }, say(`boards.${field}`)),
        h("button", { type: "button", id: `${id}-pick`, onclick: () => { this.picking = [index, field]; this.tell(say("boards.pick_how")); toStage(); } }, say("boards.pick")));
    });
    const numbers = ["mercenaries", "explorers"].map((role) => h("label", { for: `team-${index}-${role}` }, say(`boards.${role}`),
      h("input", { id: `team-${index}-${role}`, value: team[role].join(", "), onchange: (e) => set(role, (e.target.value.match(/\d+/g) ?? []).map(Number)) })));
    return h("div", { class: "team" }, h("label", { for: `team-${index}-name` }, say("boards.team_name"), name), ...paints, h("div", { class: "fields" }, ...numbers));
  }

  async pick(at) {
    const { picking } = this;
    const [index, field] = picking;
    const height = field === "reef_colour" ? this.number("reef_height") : this.number("puck_height");
    const found = await ask("/api/boards/colour", { at: meant(at, height, this.camera), height, picture: this.picture ?? null }, this.tell);
    if (!found || picking !== this.picking) return; // begun otherwise meanwhile
    this.picking = null;
    this.drawing.change((d) => { d.teams[index][field] = found.colour; });
    this.tell(found.colour);
  }

  // -- showing and saving --------------------------------------------------------------------------
  /** Fields, teams and size as the drawing has them: after each step, undone ones too. */
  showAll() {
    const { measures, mirror, teams, keep_markers, source } = this.drawing.now;
    for (const field of fields()) field.value = measures[field.id] ?? field.defaultValue;
    byId("mirror").value = mirror;
    byId("keep-markers").checked = keep_markers;
    byId("own-markers").hidden = !source || !this.files.ownMarkers;
    byId("markers").disabled = keep_markers;
    if (this.shownTeams !== JSON.stringify(teams)) this.showTeams();
    const size = this.size.join();
    const resized = this.shownSize !== size;
    this.shownSize = size;
    if (resized && this.above) this.seeFromAbove(this.clicked4); // what is seen from above is of one size
    else if (resized && !this.corners) this.view.showAbove(null, this.size);
    this.changed();
  }

  changed(judge = true) {
    if (!this.corners) this.show(this.drawing.now);
    this.showMeasures();
    byId("undo").disabled = !this.drawing.before.length;
    byId("redo").disabled = !this.drawing.after.length;
    byId("delete").disabled = !this.chosen;
    if (!judge) return;
    this.checkIn(CHECK_MS);
  }

  checkIn(ms) {
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(), ms);
  }

  show(drawing) {
    const { size, camera, heightOf, chosen, wrong } = this;
    this.view.showShapes(drawing, { size, camera, heightOf, chosen, wrong, round: this.number("puck_diameter") / 2 });
  }

  showMeasures() {
    const shape = this.drawing.shape(this.chosen);
    byId("measures").hidden = !shape;
    const key = JSON.stringify(shape);
    if (!shape || byId("measure-fields").dataset.key === key) return;
    byId("measure-fields").dataset.key = key;
    const field = (label, value, set) => {
      const input = h("input", { type: "number", step: "0.1", value: Math.round(value * 10) / 10, "aria-label": label,
        onchange: (e) => this.drawing.change((d) => set(d.shapes.find((s) => s.id === this.chosen), Number(e.target.value))) });
      return h("label", {}, label, input);
    };
    const rows = [];
    if (shape.circle) {
      rows.push(field(`${say("boards.centre")} x`, shape.circle[0], (s, v) => { s.circle[0] = v; }));
      rows.push(field(`${say("boards.centre")} y`, shape.circle[1], (s, v) => { s.circle[1] = v; }));
      rows.push(field(say("boards.radius"), shape.circle[2], (s, v) => { s.circle[2] = v; }));
    }
    shape.points.forEach(([x, y], i) => {
      const name = say("boards.point", { number: i + 1 });
      rows.push(field(`${name} x`, x, (s, v) => { s.points[i][0] = v; }), field(`${name} y`, y, (s, v) => { s.points[i][1] = v; }));
    });
    if (shape.height != null) rows.push(field(say("boards.thing_height"), shape.height, (s, v) => { s.height = v; }));
    const place = byId("measure-fields");
    const same = [...place.children].map((row) => row.textContent).join() === rows.map((row) => row.textContent).join();
    if (!same) place.replaceChildren(...rows);
    else rows.forEach((row, n) => { place.children[n].querySelector("input").value = row.querySelector("input").value; }); // one of them is pressed
  }

  /** Has the drawing judged: what an older one is judged by comes too late. */
  async check() {
    const turn = ++this.checks;
    const newest = () => turn === this.checks;
    const tell = (text) => newest() && this.showMistakes([{ shape: "", error: true, text }]);
    const lost = () => {
      const ms = this.again.next();
      if (newest()) this.checkIn(ms);
    };
    const judged = await ask("/api/boards/check", this.body(), tell, lost);
    if (judged) this.again.wentWell();
    await untouched();
    if (judged && newest()) this.showMistakes(judged.mistakes);
  }

  showMistakes(mistakes) {
    this.wrong = new Set(mistakes.filter((m) => m.error && m.shape).map((m) => m.shape));
    const rows = mistakes.map((m) => h("li", { "data-error": m.error },
      m.shape ? h("button", { type: "button", onclick: () => { document.querySelector('input[value="select"]').checked = true; this.begin("select"); this.choose(m.shape); toStage(); } }, m.text) : m.text));
    byId("mistakes").replaceChildren(...(rows.length ? rows : [h("li", { class: "fine" }, say("boards.fine"))]));
    byId("mistakes").dataset.checked = String(Number(byId("mistakes").dataset.checked ?? 0) + 1);
    byId("save").disabled = mistakes.some((m) => m.error);
    if (!this.corners) this.show(this.drawing.now);
  }
}

new Boards();
document.dispatchEvent(new Event("page-ready"));
