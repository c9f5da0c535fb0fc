// Geometry of drawn boards: mirror images, heights, snapping.

import assert from "node:assert/strict";
import test from "node:test";
import { copies, distance, meant, middle, seen, snap } from "../../../companion/dashboard/static/js/sketch_geometry.js";

const SIZE = [700, 500];
const CAMERA = [340, 260, 1000];
const OUTLINE = { kind: "sanctuary", team: 0, points: [[0, 0], [90, 0], [90, 70], [0, 70]], circle: null, swap: "sides" };

test("one corner makes four, those across for the other team", () => {
  const made = copies(OUTLINE, "both", SIZE, 2);
  assert.deepEqual(made.map((one) => [middle(one), one.team]), [[[45, 35], 0], [[655, 35], 1], [[45, 465], 0], [[655, 465], 1]]);
});

test("what is crosswise belongs to the other team when it was flipped once", () => {
  const made = copies({ ...OUTLINE, swap: "diagonal" }, "both", SIZE, 2);
  assert.deepEqual(made.map((one) => one.team), [0, 1, 1, 0]);
});

test("what lies on an axis is not doubled on it", () => {
  const gate = { kind: "gate", team: null, points: [], circle: [350, 249, 20], swap: "sides" };
  assert.equal(copies(gate, "both", SIZE, 2).length, 1);
  assert.equal(copies({ ...gate, circle: [350, 100, 20] }, "both", SIZE, 2).length, 2);
});

test("a top is seen further out, and meant where it stands", () => {
  const shown = seen([640, 260], 24, CAMERA);
  assert.ok(distance(shown, [340 + 300 / 0.976, 260]) < 1e-9);
  assert.ok(distance(meant(shown, 24, CAMERA), [640, 260]) < 1e-9);
  assert.deepEqual(seen([640, 260], 24, null), [640, 260]);
});

test("places are pulled to points first, then to edges and axes, else to half a millimetre", () => {
  const near = { reach: 2, size: SIZE, points: [[90, 70]], on: true };
  assert.deepEqual(snap([91.2, 69.1], near), { place: [90, 70], caught: [90, 70] });
  assert.deepEqual(snap([1.4, 251.3], near).place, [0, 250]);
  assert.deepEqual(snap([200.2, 71.5], near).place, [200, 70]);
  assert.deepEqual(snap([200.2, 130.3], near), { place: [200, 130.5], caught: null });
  assert.deepEqual(snap([91.2, 69.1], { ...near, on: false }).place, [91, 69]);
  assert.deepEqual(snap([94, 70], { ...near, reach: 50 }).place, [94, 70]);
});
