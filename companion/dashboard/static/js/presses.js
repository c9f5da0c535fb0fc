// Between a press and its release nothing is redrawn: a tap whose button is replaced meanwhile is lost.

const LONGEST_MS = 2000; // who holds on for longer does not tap

let release = () => {};
let pressed = Promise.resolve();

document.addEventListener("pointerdown", () => {
  release();
  pressed = new Promise((done) => { release = () => done(undefined); setTimeout(release, LONGEST_MS); });
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => setTimeout(release), true); // the click comes right after
}

/** Settles as soon as nothing is being pressed. */
export async function untouched() {
  await pressed;
}
