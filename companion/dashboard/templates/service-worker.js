// While the companion cannot be reached, a page says so instead of the browser's own error. Nothing else is kept:
// a score from yesterday that looks like one of today would be worse than none.

const KEPT = "paleo-{{ version }}";
const PAGE = "/offline";
const PARTS = [PAGE, "/static/css/theme.css", "/static/css/base.css", "/static/js/offline.js", "/static/icon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(PARTS)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(others());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || path.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (PARTS.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(path)));
});
