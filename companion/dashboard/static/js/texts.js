// The scripts' texts: one catalogue from the server, in the page's language.

const LEFTWARD = "\\p{sc=Arabic}\\p{sc=Hebrew}\\p{sc=Syriac}\\p{sc=Thaana}\\p{sc=Nko}";
const ABBREVIATED = `(?<=[${LEFTWARD}\\p{M}])"(?=[${LEFTWARD}])`; // as Hebrew has it before a word's last letter
const NAMES = new RegExp(`(?<!\u2068)[${LEFTWARD}](?:(?:[${LEFTWARD}\\p{M}\\p{Zs}\\p{Pd}'’.&]|${ABBREVIATED})*[${LEFTWARD}\\p{M}])?`, "gu");

const NUMBERED = /(?<=\p{L}) (?=\d{1,2}(?![\p{L}\d]))/gu; // the space before a small number

let lang = "en";
let texts = {};
let plural = new Intl.PluralRules("en");

export function speak(language, catalogue) {
  lang = language;
  texts = catalogue;
  plural = new Intl.PluralRules(language);
}

/** The text of a key with {name} filled in; texts with plural forms choose by `count`. */
export function t(key, values = {}) {
  let text = texts[key];
  if (text !== undefined && typeof text !== "string") text = text[plural.select(values.count)] ?? text.other;
  return filled(text ?? key, values, lang);
}

/** A text with each {name} filled in; numbers as the language writes them. */
export function filled(text, values, language) {
  return text.replace(/\{(\w+)\}/g, (_, name) => shown(values[name] ?? "", language));
}

function shown(value, language) {
  return typeof value === "number" && !Number.isInteger(value) ? figure(value, language) : String(value);
}

/** A number as a language writes it; thousands are not set apart. */
export function figure(value, language, digits = 3) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: false }).format(value);
}

/** A text of the game, which comes in both languages. A pawn's number stays with the word before it: "Red 8". */
export function told(text) {
  return text ? typeset(text[lang] ?? text.en ?? "").replace(NUMBERED, "\u00a0") : "";
}

/** French signs of two parts stay with the word before them, so that no line begins with one. */
export function typeset(text) {
  return lang === "fr" ? text.replace(/ ([:;?!»])/g, "\u00a0$1").replace(/« /g, "«\u00a0") : text;
}

/** A name that is written from right to left keeps to itself: the number after it stays after it. */
export function isolated(text) {
  return text.replace(NAMES, "\u2068$&\u2069");
}

/** A number with its word: "1 point", "2 points"; in French also "0 point". forms: one word, or one and other. */
export function counted(count, forms) {
  return `${count} ${typeof forms === "string" ? forms : forms[plural.select(count)] ?? forms.other}`;
}

/** What stands between a name and its value. */
export function colon() {
  return lang === "fr" ? "\u00a0: " : ": ";
}

/** A team's name: known colours are translated, others stay as the board file has them. */
export function teamName(team) {
  const key = `team.${team}`;
  return key in texts ? texts[key] : team;
}

/** A player's name; the side where the player has no name but that. */
export function nameOrSide(name, team) {
  return name.toLowerCase() === team && teamName(team) !== team ? teamName(team) : name;
}

/** A player with the side that is played; the side alone where the player has no name but that. */
export function nameAndSide(name, team) {
  const known = [team, teamName(team).toLowerCase()].includes(name.toLowerCase());
  return known ? (teamName(team) === team ? name : teamName(team)) : `${name} (${teamName(team)})`;
}

/** A door's name without its team, as a place: "north-east". */
export function doorPlace(door, team) {
  const rest = placeOf(door, team);
  const key = `place.${rest}`;
  return key in texts ? texts[key] : rest;
}

/** The same as short as a compass has it: "NE". */
export function doorBearing(door, team) {
  const rest = placeOf(door, team);
  const key = `bearing.${rest}`;
  return key in texts ? texts[key] : rest;
}

function placeOf(door, team) {
  return door.startsWith(`${team}-`) ? door.slice(team.length + 1) : door;
}

export function roleName(role) {
  if (role === "mercenary") return t("role.mercenary");
  return role === "explorer" ? t("role.explorer") : t("role.unknown");
}

export function decimal(value, digits) {
  return new Intl.NumberFormat(lang, { maximumFractionDigits: digits }).format(value);
}
