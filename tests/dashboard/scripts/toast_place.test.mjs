// Where a short message stands.

import assert from "node:assert/strict";
import test from "node:test";

import { freePlace } from "../../../companion/dashboard/static/js/toast_place.js";

const PHONE = { width: 360, height: 640 };
const MESSAGE = { width: 320, height: 52 };

function card(top, height, padding = 16) {
  const [left, width] = [12, 336];
  const inner = { left: left + padding, top: top + padding, width: width - 2 * padding, height: height - 2 * padding };
  return { left, top, width, height, inner };
}

test("a message stands at the bottom's middle where nothing is there", () => {
  assert.deepEqual(freePlace(MESSAGE, PHONE, []), [20, 576]);
});

test("a message finds a gap that is hardly higher than itself", () => {
  const [, top] = freePlace(MESSAGE, PHONE, [card(0, 302), card(358, 300)]);
  assert.ok(top >= 302 && top + MESSAGE.height <= 358);
});

test("a message goes nearer to the window's lower edge where there is just that much room under a card", () => {
  const [, top] = freePlace(MESSAGE, PHONE, [card(0, 290), card(302, 279)]);
  assert.ok(top >= 581 && top + MESSAGE.height <= PHONE.height - 4);
});

test("where all is full a message hides no small control whole, but the rims of two large ones", () => {
  const [, top] = freePlace(MESSAGE, PHONE, [card(0, 40, 4), card(44, 196), card(252, 196), card(460, 196)]);
  const [above, below] = [246 - MESSAGE.height / 2, 454 - MESSAGE.height / 2]; // over the gaps between large ones
  assert.ok(Math.abs(top - above) <= 12 || Math.abs(top - below) <= 12);
});
