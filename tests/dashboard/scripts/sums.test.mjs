// What charts are computed from, against sums done by hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { density, histogram, steps, ticks } from "../../../companion/dashboard/static/js/sums.js";

test("values fall into bins from nothing on, the upper edge into the next", () => {
  assert.deepEqual(histogram([0, 249, 250, 999], 250), [2, 1, 0, 1]);
  assert.deepEqual(histogram([], 250), [0]);
});

test("a place counts whole in its cell, half beside it, a quarter at its corners", () => {
  const grid = density([[15, 15]], [30, 30], 3, 3);
  assert.deepEqual(grid, [[0.25, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 0.25]]);
});

test("a place on or over the edge counts in the last cell", () => {
  const grid = density([[30, 30], [-1, 31]], [30, 30], 3, 3);
  assert.equal(grid[2][2], 1);
  assert.equal(grid[2][0], 1);
});

test("axes go in steps of one, two or five and reach the largest value", () => {
  assert.deepEqual(ticks(5, 5), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ticks(7, 5), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticks(0.3, 6), [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
  assert.deepEqual(ticks(0, 5).at(0), 0);
});

test("points go across until they change, then up, and on to the end", () => {
  const points = [{ minutes: 0, points: { red: 0 } }, { minutes: 3, points: { red: 2 } }];
  assert.deepEqual(steps(points, "red", 5), [[0, 0], [0, 0], [3, 0], [3, 2], [5, 2]]);
  assert.deepEqual(steps([], "red", 5), [[5, 0]]);
});
