// A QR code as one path: dark on light in every theme, as cameras want it.

import { s } from "./dom.js";

const QUIET = 4; // modules of light around it, by the standard

export function drawQr(rows, label) {
  const size = rows.length + 2 * QUIET;
  const d = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return s("svg", { class: "qr-code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    s("rect", { class: "qr-light", width: size, height: size }), s("path", { class: "qr-dark", d }));
}
