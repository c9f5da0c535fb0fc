// Says on every page that the camera is away or sees no board, or that what it sees cannot be kept: without it a board that
// nobody watches looks like one at rest.

import { cameraAdvice, stateText } from "./camera.js";
import { byId } from "./dom.js";
import { isPaleo } from "./panels.js";
import { colon, t } from "./texts.js";

const BLIND_MS = 6000; // what hides the board for less is somebody who leans over it

export class CameraNote {
  constructor(now = () => performance.now()) {
    this.place = byId("camera-note");
    this.now = now;
    this.blindFrom = null;
  }

  show(score, live) {
    const says = (live?.kept === false && t("journal.unkept")) || (watched(score) && live && this.says(live)) || "";
    if (this.place.textContent === says) return;
    this.place.textContent = says;
    this.place.hidden = !says;
    dispatchEvent(new Event("resize")); // the board has another height now
  }

  says({ camera, state, pose_known: found }) {
    if (!camera || ["off", "starting"].includes(camera.state) && !camera.away) return null;
    const shown = camera.away && !["lost", "stalled"].includes(camera.state) ? { ...camera, state: "stalled" } : camera;
    if (shown.state !== "running") return `${t("camera.state")}${colon()}${stateText(shown.state)}. ${cameraAdvice(shown) ?? ""}`;
    if (state !== "searching") this.blindFrom = null;
    else this.blindFrom ??= this.now();
    if (this.blindFrom === null || this.now() - this.blindFrom < BLIND_MS) return null;
    return found ? t("camera.blind") : t("camera.not_found");
  }
}

/** Whether the match that is on, or the next one, is told by the camera. */
export function watched(score) {
  return score.kept_by !== "taps" && isPaleo(score);
}
