// The games' own names in the page's language: actions, phases, options and their choices.

let terms = {};

export function learn(known) {
  terms = known ?? {};
}

/** A name as people say it; one that is not known, such as a card's or a square's, as it is written. */
export function term(name) {
  return terms[name] ?? String(name).replaceAll("_", " ");
}

/** An action with its values, in one line. */
export function describe({ type, data }) {
  const values = Object.values(data).flat().filter((one) => one !== null && one !== false);
  return [term(type), ...values.map((one) => (typeof one === "object" ? Object.values(one).join(" ") : term(one)))].join(" ");
}
