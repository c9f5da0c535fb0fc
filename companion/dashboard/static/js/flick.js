// A hand on the virtual table: drag a puck and let go to flick it; lift and place; arrow keys do the same.

import { table } from "./api.js";
import { Aim } from "./aim.js";
import { button } from "./controls.js";
import { byId, h, replaceIfChanged, s } from "./dom.js";
import { attempt } from "./link.js";
import { puckLabel, puckShape, puckToken } from "./shapes.js";
import { t } from "./texts.js";

const OFF_MM = 20; // this far outside the playing surface a puck that is carried is off the board

export class Hands {
  constructor(view, board) {
    this.view = view;
    this.board = board;
    this.svg = view.layer.svg;
    this.aim = new Aim(this.svg, board);
    this.drag = null;
    this.tray = byId("tray");
    const setup = () => attempt(() => table({ do: "setup" }));
    byId("setup-place").append(button(t("control.setup"), "circles", setup, "setup"));
    this.svg.addEventListener("pointerdown", (event) => this.grab(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focusout", () => this.drag || this.aim.clear());
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.drop(event));
    addEventListener("pointercancel", () => this.letGo());
    addEventListener("keydown", (event) => event.key === "Escape" && this.letGo());
    for (const input of document.querySelectorAll('input[name="mode"]')) input.addEventListener("change", () => this.hint());
    this.hint();
  }

  get mode() {
    return document.querySelector('input[name="mode"]:checked').value;
  }

  hint() {
    byId("hint").textContent = this.mode === "flick" ? t("hint.flick") : t("hint.move");
  }

  show() {
    for (const { element, puck } of this.view.layer.pucks.values()) {
      if (element.hasAttribute("tabindex")) continue;
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", t("puck.flick", { puck: puckLabel(this.board, puck) }));
    }
    const missing = this.missing();
    replaceIfChanged(this.tray, JSON.stringify(missing), () => missing.map((puck) => this.trayButton(puck)));
  }

  /** The pucks that do not lie on the board: by number, or as many as there are circles where none are printed. */
  missing() {
    const lying = [...this.view.layer.pucks.values()].map(({ puck }) => puck);
    const there = new Set(lying.map(keyOf));
    return this.board.teams.flatMap((team) => {
      const numbers = [...team.mercenaries, ...team.explorers].sort((a, b) => a - b);
      const all = numbers.length ? numbers : team.start_circles.map(() => null);
      const pucks = all.map((number) => ({ team: team.name, number, puck: `${team.name}-a` }));
      const beside = all.length - lying.filter((puck) => puck.team === team.name).length;
      return pucks.filter((puck) => puck.number === null || !there.has(keyOf(puck))).slice(0, Math.max(beside, 0));
    });
  }

  trayButton(puck) {
    const label = t("puck.place", { puck: puckLabel(this.board, puck) });
    const element = h("button", { type: "button", "aria-label": label }, puckToken(this.board, puck));
    element.firstChild.setAttribute("aria-hidden", "true");
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.carry(puck, this.point(event), event.pointerId, null);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const [x, y] = this.freeCircle(puck.team);
      attempt(() => table({ do: "place", puck: keyOf(puck), x_mm: round(x), y_mm: round(y), off_board: true }));
    });
    return element;
  }

  /** The first start circle of a team on which nothing lies; the board's middle where all are taken. */
  freeCircle(team) {
    const pucks = [...this.view.layer.pucks.values()];
    const free = ([x, y]) => pucks.every((one) => Math.hypot(one.x - x, one.y - y) > this.board.puck.diameter_mm);
    const circles = this.board.teams.find((one) => one.name === team)?.start_circles ?? [];
    return circles.find(free) ?? [this.board.size[0] / 2, this.board.size[1] / 2];
  }

  // -- by mouse or finger ---------------------------------------------------------------------------
  grab(event) {
    const element = event.target.closest(".puck");
    const known = element && this.view.layer.pucks.get(element.dataset.puck);
    if (!known || this.drag || event.button > 0) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    if (this.mode === "move") this.carry(known.puck, this.point(event), event.pointerId, known);
    else this.drag = { known, pointer: event.pointerId };
  }

  carry(puck, at, pointer, known) {
    const ghost = s("g", { class: "ghost" }, puckShape(this.board, puck));
    this.svg.append(ghost);
    if (known) known.held = true;
    this.drag = { puck, pointer, known, ghost, carried: true };
    this.carryTo(at);
  }

  move(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    const at = this.point(event);
    if (this.drag.carried) this.carryTo(at);
    else this.aim.from(this.drag.known, at);
  }

  /** @param {number[]} at */
  carryTo([x, y]) {
    this.drag.ghost.setAttribute("transform", `translate(${x} ${y})`);
    this.drag.at = [x, y];
    this.tray.dataset.over = String(this.outside([x, y]));
  }

  drop(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    const { drag } = this;
    const flick = drag.carried ? null : this.aim.flick();
    this.letGo();
    if (drag.carried) this.putDown(drag);
    else if (flick) this.flick(drag.known, flick);
  }

  /** @param {any} drag */
  putDown({ puck, known, at }) {
    const key = keyOf(puck);
    if (!this.outside(at)) {
      const from = known ? { at: spot(known) } : { off_board: true };
      attempt(() => table({ do: "place", puck: key, x_mm: round(at[0]), y_mm: round(at[1]), ...from }));
    } else if (known) attempt(() => table({ do: "remove", puck: key, at: spot(known) }));
  }

  letGo() {
    this.drag?.ghost?.remove();
    if (this.drag?.known) this.drag.known.held = false;
    this.drag = null;
    this.tray.dataset.over = "false";
    this.aim.clear();
  }

  outside([x, y]) {
    const [w, h_] = this.board.size;
    return x < -OFF_MM || y < -OFF_MM || x > w + OFF_MM || y > h_ + OFF_MM;
  }

  flick(known, { angle_deg, speed_mm_s }) {
    attempt(() => table({ do: "flick", puck: keyOf(known.puck), at: spot(known), angle_deg, speed_mm_s }));
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  // -- by keyboard ----------------------------------------------------------------------------------
  key(event) {
    const known = this.view.layer.pucks.get(event.target.closest(".puck")?.dataset.puck);
    if (!known) return;
    if (event.key === "Delete" || event.key === "Backspace") attempt(() => table({ do: "remove", puck: keyOf(known.puck), at: spot(known) }));
    else if (event.key === "Enter" || event.key === " ") this.flickByKey(known);
    else if (!this.aim.turn(known, event.key, event.shiftKey)) return;
    event.preventDefault();
  }

  flickByKey(known) {
    const flick = this.aim.flick();
    if (flick) this.flick(known, flick);
    this.aim.clear();
  }
}

/** The virtual table's name of a puck: team and number, or the id of one that bears none. */
export function keyOf({ team, number, puck }) {
  return number === null || number === undefined ? puck : `${team}-${number}`;
}

/** Where a puck lies: the table means the puck that is there, even where its number was misread. */
function spot(known) {
  return [round(known.toX), round(known.toY)];
}

function round(value) {
  return Math.round(value * 10) / 10;
}
