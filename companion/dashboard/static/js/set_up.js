// What the pages for setting up share: words, requests, and the theme's links.

import { post, Refused } from "./api.js";
import { byId } from "./dom.js";
import { closeMenuOutside } from "./menu.js";
import { filled } from "./texts.js";

const told = JSON.parse(byId("set-up").textContent);
closeMenuOutside();

/** The words of a key with {name} filled in. */
export function say(key, values = {}) {
  return filled(told.words[key] ?? key, values, told.lang);
}

/** A team's name as it is read: known ones in the page's language, others as the board file has them. */
export function readTeam(name) {
  return Object.hasOwn(told.teams, name) ? told.teams[name] : name;
}

/** A team's name for the board file, as somebody reads or writes it. */
export function fileTeam(read) {
  const said = read.trim().toLowerCase();
  if (Object.hasOwn(told.teams, said)) return said;
  return Object.keys(told.teams).find((name) => told.teams[name].toLowerCase() === said) ?? read;
}

export const language = told.lang;

/** Turn and number of the views of a lens that somebody left in the middle, or null. */
export const begun = told.begun ?? null;

/** Posts, and gives the answer; what is refused is told by `tell`, and gives null. lost: called where it may go well a little later.
 * @param {string} url @param {any} body @param {(text: string) => void} tell @param {() => void} [lost] @returns {Promise<any>} */
export async function ask(url, body, tell, lost = () => {}) {
  try {
    return await post(url, body);
  } catch (error) {
    tell((error instanceof Refused && error.message) || say("boards.failed"));
    if (!(error instanceof Refused) || error.passes) lost();
    return null;
  }
}

const PICTURES = ["image/jpeg", "image/png"]; // what else is sent is looked at all the same, and told to be none

const MOST_MB = 24; // the server takes no more

/** Posts a picture's bytes. */
export async function sendFile(url, file, tell) {
  const mb = Math.ceil(file.size / 2 ** 20);
  if (mb > MOST_MB) {
    tell(say("boards.too_many_bytes", { mb, most: MOST_MB }));
    return null;
  }
  const session = await fetch("/api/session").then((answer) => answer.json()).catch(() => null);
  if (!session) {
    tell(say("boards.failed"));
    return null;
  }
  const token = session.csrf_token;
  const headers = { "Content-Type": PICTURES.includes(file.type) ? file.type : "application/octet-stream", Accept: "application/json", "X-CSRFToken": token };
  const response = await fetch(url, { method: "POST", headers, body: file }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok) tell(answer?.error ?? say("boards.failed"));
  return response?.ok ? answer : null;
}
