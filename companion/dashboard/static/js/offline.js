// Shown while the companion cannot be reached: looks again, and goes back to the page that was asked for.

const AGAIN_MS = 2500;

async function look() {
  const there = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
  if (there && location.pathname !== "/offline") location.reload();
  else if (there) location.replace("/");
  else setTimeout(look, AGAIN_MS);
}

addEventListener("online", look);
setTimeout(look, AGAIN_MS);
