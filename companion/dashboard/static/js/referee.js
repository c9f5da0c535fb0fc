// The referee's tools: a shot by hand, what camera and sensors say with what to do about it, backup and restore.

import { command, commandId, getJson, post, sendPart } from "./api.js";
import { cameraAdvice, stateText } from "./camera.js";
import { byId, h, replaceIfChanged } from "./dom.js";
import { attempt } from "./link.js";
import { untouched } from "./presses.js";
import { askToTell } from "./tell.js";
import { colon, t, told } from "./texts.js";

const LOOK_MS = 2000;
const PART_BYTES = 1 << 20; // as the server takes them

export class Referee {
  constructor() {
    byId("by-hand").addEventListener("click", () => askToTell({}, (facts, seen) => command("shot_by_hand", { ...facts, seen })));
    byId("restore")?.addEventListener("change", (event) => this.restore(event.target));
    this.look();
  }

  async look() {
    const health = await getJson("/healthz").catch(() => null); // said by the state of the line
    const rows = health ? states(health) : [];
    await untouched();
    if (health) replaceIfChanged(byId("states"), JSON.stringify(rows), () => rows.map(({ well, name, says, advice }) =>
      h("li", { "data-well": String(well) }, h("b", {}, name), " ", h("span", {}, says), advice ? h("small", {}, advice) : null)));
    setTimeout(() => this.look(), LOOK_MS);
  }

  async restore(input) {
    const [file] = input.files;
    if (!file) return;
    const said = byId("restore-said");
    const sender = commandId();
    input.disabled = true; // one backup at a time
    await attempt(async () => {
      for (let part = 0; part === 0 || part * PART_BYTES < file.size; part += 1) { // an empty file is looked into, too
        said.textContent = t("restore.sending", { percent: Math.floor((100 * part * PART_BYTES) / file.size) });
        await sendPart(`/api/restore/${part}?sender=${sender}`, file.slice(part * PART_BYTES, (part + 1) * PART_BYTES));
      }
      const { made, entries, instead } = await post(`/api/restore/end?sender=${sender}`, {});
      said.textContent = (instead ? `${t("restore.instead")} ` : "") + t("restore.ready", { made: new Date(made).toLocaleString(document.documentElement.lang), count: entries });
    }).then((well) => well || (said.textContent = t("restore.not")));
    input.value = "";
    input.disabled = false;
  }
}

/** What there is to say of each part, and what to do where it is not well. */
export function states({ camera, sensors, journal }) {
  const sensorWords = { none: t("sensors.none"), connected: t("sensors.connected"), searching: t("sensors.searching"), silent: t("sensors.silent"), garbled: t("sensors.garbled"), refused: t("sensors.refused"), stopped: t("sensors.stopped") };
  const advice = cameraAdvice(camera);
  const says = stateText(camera.state) + (camera.dropped ? ` · ${t("camera.dropped")}${colon()}${camera.dropped}` : "");
  const found = [{ well: ["running", "off"].includes(camera.state) && !advice, name: t("camera.state"), says, advice }];
  const well = ["none", "connected"].includes(sensors.state);
  found.push({ well, name: t("sensors.name"), says: sensorWords[sensors.state] ?? sensors.state, advice: well ? undefined : told(sensors.told) || t("advice.sensors") });
  for (const one of sensors.set_aside_told ?? []) found.push({ well: false, name: told(one), says: t("sensors.aside"), advice: t("advice.aside") });
  found.push({ well: !journal.fault, name: t("journal.name"), says: journal.fault ? t("journal.ill", { fault: told(journal.told) || journal.fault }) : t("journal.well", { count: journal.last_id }), advice: journal.fault ? t("advice.journal") : undefined });
  return found;
}
