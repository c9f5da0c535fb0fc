// What charts are computed from: bins, densities, ticks. No drawing, no page.

/** How many values lie in each of equally wide bins from 0 on; the last bin ends at or above the largest value. */
export function histogram(values, width) {
  const count = Math.max(1, Math.floor(Math.max(0, ...values) / width) + 1);
  const bins = new Array(count).fill(0);
  for (const value of values) bins[Math.floor(value / width)] += 1;
  return bins;
}

/** A grid of columns x rows over [0, w] x [0, h]: how many places lie in each cell, softened over the neighbours. */
export function density(places, [w, h], columns, rows) {
  const grid = Array.from({ length: rows }, () => new Array(columns).fill(0));
  for (const [x, y] of places) {
    const column = Math.min(Math.max(Math.floor((x / w) * columns), 0), columns - 1);
    const row = Math.min(Math.max(Math.floor((y / h) * rows), 0), rows - 1);
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const cell = grid[row + dy]?.[column + dx];
        if (cell !== undefined) grid[row + dy][column + dx] += 1 / (1 + Math.abs(dx)) / (1 + Math.abs(dy));
      }
    }
  }
  return grid;
}

/** Round steps of 1, 2 or 5 times a power of ten, at most `most` of them, from 0 to at least the largest value. */
export function ticks(largest, most) {
  const raw = Math.max(largest, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= raw * (1 - 1e-9));
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: Math.max(count, 1) + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}

/** Points over time as steps: each change goes across, then up. */
export function steps(points, team, endMinutes) {
  const way = [];
  let last = 0;
  for (const { minutes, points: now } of points) {
    way.push([minutes, last], [minutes, now[team] ?? last]);
    last = now[team] ?? last;
  }
  return [...way, [Math.max(endMinutes, way.at(-1)?.[0] ?? 0), last]];
}
