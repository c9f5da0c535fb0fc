// A report's times as the clock on the wall has them, and its one button.

import { isolated } from "./texts.js";

for (const text of document.querySelectorAll("h1, th[scope=row], .report-log span")) text.textContent = isolated(text.textContent);

for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime);
  const { lang } = document.documentElement;
  time.textContent = time.hasAttribute("data-day")
    ? at.toLocaleString(lang, { dateStyle: "long", timeStyle: "short" })
    : at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
}

document.getElementById("print").addEventListener("click", () => print());
