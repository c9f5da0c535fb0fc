// Texts with gaps and plurals, the rules' search, one block of the stream, whose question it is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hasAll, plain } from "../../../companion/dashboard/static/js/help.js";
import { isMine } from "../../../companion/dashboard/static/js/seat.js";
import { parseEvent } from "../../../companion/dashboard/static/js/stream.js";
import { colon, filled, isolated, speak, t, teamName, told } from "../../../companion/dashboard/static/js/texts.js";

test("gaps are filled, plurals follow the language, unknown keys stay readable", () => {
  const forms = { one: "{count} pion", other: "{count} pions" };
  speak("fr", { hello: "Bonjour {name}", pawns: forms, "team.red": "Rouge" });
  assert.equal(t("hello", { name: "Ada" }), "Bonjour Ada");
  assert.equal(t("pawns", { count: 0 }), "0 pion"); // French takes nothing as singular
  assert.equal(t("pawns", { count: 2 }), "2 pions");
  assert.equal(t("nothing.here"), "nothing.here");
  assert.equal(teamName("red"), "Rouge");
  assert.equal(teamName("turquoise"), "turquoise");
});

test("numbers in a text are written as its language has them", () => {
  speak("fr", { lag: "il y a {value} s" });
  assert.equal(t("lag", { value: 6.7 }), "il y a 6,7 s");
  assert.equal(t("lag", { value: 1200 }), "il y a 1200 s");
  assert.equal(filled("{mm} mm", { mm: 0.25 }, "fr"), "0,25 mm");
  assert.equal(filled("{mm} mm", { mm: 1234.5 }, "en"), "1234.5 mm");
  assert.equal(filled("{mm} mm", { mm: "?" }, "fr"), "? mm");
});

test("a text of the game comes in the page's language, or in English", () => {
  speak("fr", {});
  assert.equal(told({ en: "One", fr: "Un" }), "Un");
  assert.equal(told({ en: "One" }), "One");
  assert.equal(told(null), "");
});

test("no French line begins with a sign of two parts, and English stays as it is", () => {
  const both = { en: "Captured: is it so?", fr: "Capturé : est-ce « vrai » ?" };
  speak("fr", {});
  assert.equal(told(both), "Capturé\u00a0: est-ce «\u00a0vrai\u00a0»\u00a0?");
  assert.equal(colon(), "\u00a0: ");
  speak("en", {});
  assert.equal(told(both), both.en);
  assert.equal(colon(), ": ");
});

test("a pawn's number stays with its word", () => {
  const both = { en: "Red 8 touched Green 12, 3 mm away", fr: "Rouge 8 a touché Vert 12 ; l'échanger contre le rouge 3 ?" };
  speak("fr", {});
  assert.equal(told(both), "Rouge\u00a08 a touché Vert\u00a012\u00a0; l'échanger contre le rouge\u00a03\u00a0?");
  speak("en", {});
  assert.equal(told(both), "Red\u00a08 touched Green\u00a012, 3 mm away");
});

test("a rule is found by beginnings of words, without accents", () => {
  const rule = plain("P18 Dans un Sanctuaire adverse, un pion peut être échangé.");
  assert.ok(hasAll(rule, "sanct etre"));
  assert.ok(hasAll(rule, "P18"));
  assert.ok(hasAll(rule, "  "));
  assert.ok(!hasAll(rule, "sanctuaire cle"));
});

test("a block of the stream has a name, an id where it is journalled, and its data; comments have nothing", () => {
  assert.deepEqual(parseEvent('id: 7\nevent: shot\ndata: {"a":1}'), { name: "shot", id: 7, data: '{"a":1}' });
  assert.deepEqual(parseEvent("event: live\ndata: {}"), { name: "live", id: null, data: "{}" });
  assert.equal(parseEvent(": still here"), null);
  assert.equal(parseEvent("retry: 1000"), null);
});

test("a question for a side, or for all, comes before the turn", () => {
  const playing = { phase: "playing", paused: false, turn: "red", question: null };
  assert.ok(isMine(playing, "red"));
  assert.ok(!isMine(playing, "green"));
  assert.ok(isMine({ ...playing, question: { team: "green" } }, "green"));
  assert.ok(!isMine({ ...playing, question: { team: "green" } }, "red"));
  assert.ok(isMine({ ...playing, question: { team: null } }, "green"));
  assert.ok(!isMine({ ...playing, paused: true }, "red"));
});

test("a name from right to left is one, with the quotation mark that abbreviates it; marks around it stay outside", () => {
  const [letters, other] = ["\u05e6\u05d4", "\u05dc"];
  assert.equal(isolated(`${letters}"${other} 3`), `\u2068${letters}"${other}\u2069 3`);
  assert.equal(isolated(`"${letters}", "${other}"`), `"\u2068${letters}\u2069", "\u2068${other}\u2069"`);
  assert.equal(isolated(`${letters} "${other}"`), `\u2068${letters}\u2069 "\u2068${other}\u2069"`);
});
