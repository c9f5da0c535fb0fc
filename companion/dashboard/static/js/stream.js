// The live stream: reads server-sent events through fetch, comes back for ever, goes on from the last id.
// Unlike EventSource it hears heartbeats, takes every type of event, and never gives up on an error.

const SILENCE_MS = 5000; // the server says something every 2 s; after this the line is dead
const WATCH_MS = 500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000; // with the jitter below and the way there and back: under 3 s
const JITTER = 0.2;
const FULL = 503;
const TABLE = "X-Paleo-Table";

export class Stream {
  /** onEvent(name, data, id or null); onState("connecting" | "live" | "lost", why); onTable(mark): what is watched on each
   * line that is made. */
  constructor(url, { onEvent, onState, onTable }) {
    this.url = url;
    this.onEvent = onEvent;
    this.onState = onState;
    this.onTable = onTable;
    this.lastId = null;
    this.failures = 0;
    this.wake = null;
    this.abort = null;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    addEventListener("offline", () => this.abort?.abort());
    addEventListener("pageshow", (event) => event.persisted && this.hurry());
    addEventListener("pagehide", () => this.abort?.abort());
  }

  async run() {
    this.onState("connecting");
    for (;;) {
      await this.once();
      this.failures += 1;
      this.onState("lost", this.why());
      await this.pause();
    }
  }

  /** Why there is no line: the device is in no network, the server has no place left, or it does not answer. */
  why() {
    if (navigator.onLine === false) return "offline";
    return this.status === FULL ? "full" : "gone";
  }

  /** The journal was replaced by a shorter one: go on from its end. */
  resetTo(lastId) {
    if (this.lastId !== null && lastId < this.lastId) this.lastId = lastId;
  }

  hurry() {
    if (this.wake) this.wake();
    else if (this.silent()) this.abort?.abort();
  }

  /** Nothing was heard for too long. By the clock on the wall: the page's own stands still while a laptop sleeps. */
  silent() {
    return Math.abs(Date.now() - this.heardAt) > SILENCE_MS;
  }

  async once() {
    this.abort = new AbortController();
    this.heardAt = Date.now();
    this.status = 0;
    const watchdog = setInterval(() => this.silent() && this.abort.abort(), WATCH_MS);
    try {
      const headers = { Accept: "text/event-stream" };
      if (this.lastId !== null) headers["Last-Event-ID"] = String(this.lastId);
      const response = await fetch(this.url, { headers, cache: "no-store", signal: this.abort.signal });
      this.status = response.status;
      if (response.ok) {
        this.onTable(response.headers.get(TABLE));
        await this.read(response.body.getReader());
      } else await response.body?.cancel();
    } catch {
      // no network, server gone, or silence: said by the state, tried again by run()
    } finally {
      clearInterval(watchdog);
      this.abort.abort();
    }
  }

  async read(reader) {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.heardAt = Date.now();
      if (this.failures !== -1) {
        this.failures = -1;
        this.onState("live");
      }
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) this.take(block);
    }
  }

  take(block) {
    const event = parseEvent(block);
    if (event === null) return;
    if (event.id !== null) {
      if (this.lastId !== null && event.id <= this.lastId) return;
      this.lastId = event.id;
    }
    this.onEvent(event.name, JSON.parse(event.data), event.id);
  }

  pause() {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.max(this.failures, 0), LONGEST_WAIT_MS);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, wait * (1 + JITTER * (Math.random() - 0.5)));
      this.wake = done;
    });
  }
}

/** One block of the stream as {name, data, id}, or null for comments and settings. */
export function parseEvent(block) {
  let name = "message";
  let id = null;
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
    else if (line.startsWith("id: ")) id = Number(line.slice(4));
  }
  return data.length ? { name, data: data.join("\n"), id } : null;
}
