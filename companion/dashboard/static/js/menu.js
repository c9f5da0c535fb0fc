// The menu of more pages closes by Escape, and by a tap beside it.

export function closeMenuOutside() {
  const menu = /** @type {HTMLDetailsElement} */ (document.querySelector(".more"));
  document.addEventListener("pointerdown", ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
