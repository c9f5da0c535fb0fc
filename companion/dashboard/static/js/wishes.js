// What this screen is to do: speak, sound, stay awake, take single keys. Kept on this device alone.

const KEPT = "paleo.wishes";
const FIRST = { voice: false, sounds: false, awake: true, keys: true };

/** All wishes, as kept or as they are at first; a device that keeps nothing gets the first ones. */
export function wishes() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
}

export function wish(name, on) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...wishes(), [name]: on }));
  } catch {
    // a private window keeps nothing: the wish holds until the page is left
  }
  document.dispatchEvent(new CustomEvent("wish", { detail: { name, on } }));
}
