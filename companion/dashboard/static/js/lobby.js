// The lobby: codes for phones, who may what, and the way to a real table.

import { getJson, post } from "./api.js";
import { byId, h, replaceIfChanged } from "./dom.js";
import { attempt } from "./link.js";
import { calmly, untouched } from "./presses.js";
import { drawQr } from "./qr.js";
import { colon, t, teamName, told } from "./texts.js";

const HEALTH_MS = 3000;

export class Lobby {
  constructor({ links, me, board }) {
    this.rank = ["spectator", "player", "referee", "owner"].indexOf(me.role);
    this.health = null;
    this.steps = calmly(() => this.drawSteps());
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-qr]"))) {
      const link = links[Number(place.dataset.qr)];
      place.replaceChildren(drawQr(link.qr, link.url));
    }
    byId("pass-seat")?.append(...board.teams.map(({ name }) => h("option", { value: name }, teamName(name))));
    on("pass-player", () => this.hand("player"));
    on("pass-referee", () => this.hand("referee"));
    on("code-referee", () => this.code("referee"));
    on("code-owner", () => this.code("owner"));
    this.listed = this.rank < 2; // who may not see the list needs none
    this.look();
  }

  show(score, live) {
    this.now = { score, live };
    this.steps();
  }

  async look() {
    if (!this.listed) attempt(() => this.list());
    this.health = await getJson("/healthz").catch(() => null); // the line's own state says that it is lost
    this.steps();
    setTimeout(() => this.look(), HEALTH_MS);
  }

  drawSteps() {
    const { score, live } = this.now ?? {};
    if (!score || !this.health) return;
    const source = score.camera?.last?.source;
    const sensors = this.health.sensors ?? {};
    const felt = sensors.state === "connected";
    const real = ["device", "stream"].includes(source) && this.health.camera.state === "running";
    const rows = [
      [t("step.camera"), real, real ? t("step.camera_there") : t("step.camera_how"), null],
      [t("step.board"), real, t("step.board_is", { name: score.board?.name ?? "" }), "/boards"],
      [t("step.pose"), real && Boolean(live?.pose_known), t("step.pose_how"), "/calibration"],
      [t("step.sensors"), felt, felt ? t("step.sensors_there") : told(sensors.told) || t("step.sensors_how"), null],
      [t("step.match"), score.game !== null, t("step.match_how"), "/"],
    ];
    replaceIfChanged(byId("steps"), JSON.stringify(rows), () => rows.map((row) => this.step(row)));
  }

  /** @param {any[]} row */
  step([name, done, how, path]) {
    const link = path && (this.rank === 3 || path === "/") ? h("a", { href: path, "aria-label": `${t("step.go")}${colon()}${name}` }, t("step.go")) : null;
    return h("li", { "data-done": String(done) }, h("b", {}, name), h("span", { class: "unseen" }, done ? t("step.done") : t("step.open")),
      h("span", {}, how, " ", link));
  }

  hand(role) {
    const seat = role === "player" ? byId("pass-seat").value || null : null;
    return attempt(async () => {
      const made = await post("/api/passes", { role, seat, label: byId("pass-label").value });
      const what = role === "referee" ? t("pass.referee") : seat ? t("pass.seat", { seat: teamName(seat) }) : t("pass.player");
      const figures = made.links.slice(0, 2).map(({ url, qr }) => h("figure", { class: "code" },
        h("div", { class: "qr" }, drawQr(qr, what)),
        h("figcaption", {}, h("b", {}, what), h("br"), url.startsWith("https") ? t("pass.secure") : t("pass.plain"))));
      byId("pass-made").replaceChildren(...figures);
      await this.list();
    });
  }

  code(role) {
    return attempt(async () => {
      const { code } = await post(`/api/codes/${role}`, {});
      byId("code-told").textContent = role === "owner" ? t("code.owner", { code }) : t("code.referee", { code });
      await this.list();
    });
  }

  async list() {
    const { passes } = await getJson("/api/access");
    this.listed = true;
    await untouched();
    const rows = passes.map((pass) => this.pass(pass));
    byId("passes").replaceChildren(...(rows.length ? rows : [h("li", {}, t("pass.none"))]));
  }

  pass({ id, role, seat, label, made, by_code: byCode }) {
    const roles = { player: t("pass.player"), referee: t("pass.referee"), owner: t("pass.owner") };
    const parts = [`${id}`, roles[role], seat ? teamName(seat) : null, label || null, new Date(made).toLocaleString(document.documentElement.lang), byCode ? t("pass.by_code") : null];
    const name = parts.filter(Boolean).join(" · ");
    const mayEnd = this.rank === 3 || role === "player";
    const end = h("button", { class: "button button-quiet", type: "button", "aria-label": `${t("pass.end")}${colon()}${name}` }, t("pass.end"));
    end.addEventListener("click", async () => {
      await attempt(() => post(`/api/passes/${id}/revoke`, {}));
      await attempt(() => this.list()); // where it was refused, another screen has ended it
    });
    return h("li", {}, h("span", {}, name), mayEnd ? end : null);
  }
}

function on(id, action) {
  byId(id)?.addEventListener("click", action);
}
