type Point = readonly [number, number | null];

/**
 * At most about `most` points: of each part of the line the first lowest, the first highest, and a gap, if it has one.
 * Peaks and gaps thus stay where they are.
 */
export function thin<T extends Point>(points: readonly T[], most: number): T[] {
  if (points.length <= most) {
    return [...points];
  }
  const parts = Math.max(1, Math.floor((most - 2) / 3));
  const kept = new Set([0, points.length - 1]);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * points.length) / parts);
    const to = Math.floor(((part + 1) * points.length) / parts);
    for (const index of notable(points, from, to)) {
      kept.add(index);
    }
  }
  return points.filter((_, index) => kept.has(index));
}

function notable(points: readonly Point[], from: number, to: number): number[] {
  let low = -1;
  let high = -1;
  let gap = -1;
  const value = (index: number): number => points[index]?.[1] ?? NaN;
  for (let i = from; i < to; i++) {
    if (points[i]?.[1] === null) {
      gap = i;
    } else {
      if (low < 0 || value(i) < value(low)) low = i;
      if (high < 0 || value(i) > value(high)) high = i;
    }
  }
  return [low, high, gap].filter((index) => index >= 0);
}
