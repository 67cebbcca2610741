import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Drawing, drawingOf } from "../src/drawing.js";
import { frameOf } from "../src/frame.js";
import { legendEntries, LEGEND_ROW } from "../src/legend.js";
import { notesAbove } from "../src/notes.js";
import { readSpec } from "../src/read.js";
import { scaleOf } from "../src/scale.js";
import type { Axis, AxisScale } from "../src/spec.js";
import { textWidth } from "../src/style.js";
import { thin } from "../src/thin.js";
import { SAMPLES } from "./samples.js";

function axis(scale: AxisScale): Axis {
  return { name: "n", unit: "", scale, labels: [], min: undefined, max: undefined };
}

function labels(scale: AxisScale, values: number[]): string[] {
  return scaleOf(axis(scale), values, false).ticks.map(({ label }) => label);
}

function drawing(plot: object): Drawing {
  const [read] = readSpec(JSON.stringify({ plots: [plot] }));
  assert.ok(read);
  return drawingOf(read);
}

describe("axes", () => {
  it("have round numbers with thousands separators", () => {
    assert.deepEqual(labels("linear", [100, 9_500]), ["0", "2,000", "4,000", "6,000", "8,000", "10,000"]);
    assert.deepEqual(labels("linear", [0.985, 1.035]), ["0.98", "0.99", "1.00", "1.01", "1.02", "1.03", "1.04"]);
    assert.deepEqual(labels("linear", [-1, 1]), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
    assert.deepEqual(labels("log", [0.7, 1300]), ["1", "10", "100", "1,000"]);
    assert.deepEqual(labels("log", [0.03, 0.4]), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
    assert.deepEqual(labels("nines", [0, 0.9995]), ["0 %", "50 %", "90 %", "99 %", "99.9 %"]);
  });

  it("have room for a single value", () => {
    for (const value of [0, 5, -5, 1e-9]) {
      const { low, high, ticks } = scaleOf(axis("linear"), [value], false);
      assert.ok(low < high && low <= value && value <= high && ticks.length > 1, String(value));
    }
    assert.ok(labels("log", [10]).length > 1);
    assert.ok(labels("nines", [0]).length > 1);
  });

  it("have every further nine at the same distance", () => {
    const { place } = scaleOf(axis("nines"), [0.5], false);
    assert.deepEqual(
      [0, 0.9, 0.99, 0.999].map((x) => Math.round(place(x) * 1e6) / 1e6),
      [0, 1, 2, 3],
    );
  });
});

describe("the layout", () => {
  it("puts the legend in rows that end before the frame", () => {
    const name = (i: number): string => `a rather long name of series ${String(i)}`;
    const series = Array.from({ length: 8 }, (_, i) => ({ name: name(i), kind: "line", data: [[1, 2]] }));
    const plot = drawing({ ...SAMPLES.line, bands: [], levels: [], title: "long ".repeat(40), series });
    const entries = legendEntries(plot);
    const frame = frameOf(plot);
    for (const [i, { left, row, icon, name: text }] of entries.entries()) {
      const next = entries[i + 1];
      const end = left + icon + textWidth(text, 12);
      assert.ok(end <= 750 && (next?.row !== row || next.left > end), text);
    }
    assert.ok(frame.title.length > 1);
    assert.ok(frame.box.top >= frame.legendTop + ((entries.at(-1)?.row ?? 0) + 1) * LEGEND_ROW);
    assert.ok(frame.box.bottom - frame.box.top > 100);
  });

  it("puts labels of near levels above each other", () => {
    const levels = [10, 11, 12, 59].map((at) => ({ axis: "x", at, label: `kill machine-${String(at)}` }));
    const rows = notesAbove(drawing({ ...SAMPLES.line, bands: [], levels }), 60, 730);
    assert.deepEqual(
      rows.map(({ row }) => row),
      [0, 1, 2, 0],
    );
    assert.ok(rows.every(({ left, label }) => left >= 60 && left + textWidth(label, 12) <= 744));
  });

  it("breaks no word of a category", () => {
    const long = ["Cassandra as shipped", "generational ZGC", ...Array.from({ length: 8 }, (_, i) => `c${String(i)}`)];
    const plot = drawing({ ...SAMPLES.bar, x: { name: "n", scale: "category", labels: long } });
    const { texts } = frameOf(plot).xLabels;
    assert.deepEqual(
      texts.map((text) => text.replaceAll("\n", " ")),
      long,
    );
  });
});

describe("thinning", () => {
  it("keeps extremes, gaps and both ends", () => {
    const points = Array.from({ length: 20_000 }, (_, i): [number, number | null] => [i, Math.sin(i / 500)]);
    points[7_777] = [7_777, 99];
    points[12_345] = [12_345, -99];
    points[15_000] = [15_000, null];
    const kept = thin(points, 600);
    assert.ok(kept.length <= 600 && kept.length > 300);
    for (const index of [0, 7_777, 12_345, 15_000, 19_999]) {
      assert.ok(kept.includes(points[index] ?? [0, 0]), String(index));
    }
    assert.deepEqual(
      kept.map(([x]) => x),
      kept.map(([x]) => x).sort((a, b) => a - b),
    );
    assert.deepEqual(thin(points.slice(0, 600), 600), points.slice(0, 600));
  });
});
