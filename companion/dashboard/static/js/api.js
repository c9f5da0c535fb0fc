// Commands to the server: JSON with the page's token; a token that went out of date is renewed once.

let token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";

/** After this long what a failing line kept back is asked for once more. */
export const AGAIN_MS = 2500;

const SELDOM_MS = 20000; // what fails for good is asked for no more often
const MANY = 429; // requests at once
const FAULT = 500; // of the server's own, or of what lies between

export class Refused extends Error {
  /** @param {string} message @param {string | null} rule @param {number} [status] */
  constructor(message, rule, status = 0) {
    super(message);
    this.rule = rule;
    this.passes = status === MANY || status >= FAULT; // the same may go well a little later
  }
}

/** After which time to ask once more: ever later, until it went well. */
export class Again {
  ms = AGAIN_MS;

  next() {
    const now = this.ms;
    this.ms = Math.min(2 * now, SELDOM_MS);
    return now;
  }

  wentWell() {
    this.ms = AGAIN_MS;
  }
}

export function command(name, body = {}) {
  return post(`/api/command/${name}`, body);
}

/** Takes back what the screen shows as the last thing done; refused where more has been done since. */
export function undo(score) {
  return command("undo", score?.last_id === undefined ? {} : { seen: score.last_id });
}

export function table(body) {
  return post("/api/table", body);
}

/** The simulated players: let them play on, or make them wait. */
export function letPlayers(play) {
  return post("/api/players", { play });
}

export async function getJson(url) {
  return answerOf(await fetch(url, { headers: { Accept: "application/json" } }));
}

/** What was answered; what is no answer of the companion's, such as a proxy's page, has no words for people. */
async function answerOf(response) {
  const answer = await response.json().catch((error) => {
    if (error instanceof SyntaxError) return null;
    throw error; // the line was lost in the middle of it
  });
  if (response.ok && answer !== null) return answer;
  throw new Refused(answer?.error ?? "", answer?.rule ?? null, response.ok ? FAULT : response.status);
}

export function post(url, body) {
  return sendAs(url, JSON.stringify(body), "application/json");
}

/** One piece of a large file. */
export function sendPart(url, blob) {
  return sendAs(url, blob, "application/octet-stream");
}

async function sendAs(url, body, kind) {
  const id = commandId();
  let response = await send(url, body, kind, id);
  if (response.status === 400) {
    token = (await getJson("/api/session")).csrf_token;
    response = await send(url, body, kind, id);
  }
  return answerOf(response);
}

/** One id a command: sent again by whatever lies between, it is carried out once. */
export function commandId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function send(url, body, kind, id) {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": kind, Accept: "application/json", "X-CSRFToken": token, "Idempotency-Key": id },
    body,
  });
}
