// Coming in: by the pass after the # of a scanned address, which no server's log ever sees, or by a code.

import { post } from "./api.js";
import { byId } from "./dom.js";
import { attempt } from "./link.js";
import { t } from "./texts.js";

export async function join(boot) {
  byId("code-form").addEventListener("submit", (event) => signIn(event));
  byId("leave")?.addEventListener("click", () => attempt(async () => {
    await post("/api/sign-out", {});
    location.reload();
  }));
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (token && !boot.me.here) await enter("/api/join", { token });
  else if (token) byId("join-said").textContent = t("join.here");
}

function signIn(event) {
  event.preventDefault();
  return enter("/api/sign-in", Object.fromEntries(new FormData(event.target)));
}

async function enter(url, body) {
  byId("join-said").textContent = t("join.wait");
  const done = await attempt(async () => {
    const { role } = await post(url, body);
    location.replace(role === "player" ? "/seat" : "/lobby");
  });
  if (!done) byId("join-said").textContent = "";
}
