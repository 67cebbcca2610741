import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSpec } from "../src/read.js";
import { SAMPLES } from "./samples.js";

type Change = Record<string, unknown>;

/** The message for a sample with other fields. */
function refusal(kind: keyof typeof SAMPLES, change: Change): string {
  try {
    readSpec(JSON.stringify({ plots: [{ ...SAMPLES[kind], ...change }] }));
  } catch (e) {
    return e instanceof Error ? e.message : "";
  }
  return "accepted";
}

function series(change: Change): Change {
  return { series: [{ name: "a", kind: "line", data: [[1, 2]], ...change }] };
}

const BAD: [keyof typeof SAMPLES, Change, string][] = [
  ["line", series({ kind: "pie" }), `series[0].kind: unknown value "pie" -> one of line, points, bar, range, span`],
  ["line", { series: [{ name: "a", kind: "line" }] }, "series[0].data: missing field"],
  ["line", series({ color: "red" }), "series[0].color: unknown field -> known are name, kind, data, dashed"],
  ["line", series({ data: [] }), "series[0].data: empty list"],
  ["line", series({ data: [[1, "NaN"]] }), `series[0].data[0][1]: "NaN" is not a finite number`],
  ["line", series({ data: [[null, 1]] }), "series[0].data[0][0]: null is not a finite number"],
  ["line", series({ data: [[1]] }), "series[0].data[0]: 1 numbers instead of 2"],
  ["line", series({ data: [[1, 2, 3]] }), "series[0].data[0]: 3 numbers instead of 2"],
  [
    "line",
    series({
      data: [
        [2, 1],
        [1, 1],
      ],
    }),
    "series[0].data[1]: x decreases, but a line goes from left to right",
  ],
  ["line", series({ data: [[1, 0]] }), "series[0].data[0][1]: 0 is not above 0, which a log scale needs"],
  ["line", series({ data: [[1, null]] }), "series: every y is null"],
  ["line", series({ dashed: "yes" }), "series[0].dashed: not true or false"],
  ["points", series({ kind: "points", dashed: true }), "series[0].dashed: only for kind line"],
  ["line", series({ kind: "bar" }), "series[0].kind: a bar needs an x of scale category"],
  ["line", series({ kind: "span", data: [[0, 1, 2]] }), "series[0].kind: a span needs a y of scale category"],
  ["span", series({}), "series[0].kind: a y of scale category is only for kind span"],
  ["span", { x: { name: "t", scale: "category", labels: ["a"] } }, "series[0].kind: a span needs an x with numbers"],
  [
    "line",
    { y: { name: "t", scale: "nines" }, levels: [], ...series({ data: [[0, 0.5]] }) },
    "y.scale: scale nines is only for x",
  ],
  ["line", { title: "two\nlines" }, "title: has a control character"],
  ["line", { title: 7 }, "title: not a text"],
  ["line", { levels: [{ axis: "y", at: 0, label: "l" }] }, "levels[0].at: 0 is not above 0, which a log scale needs"],
  ["line", { bands: [{ axis: "x", from: 2, to: 2 }] }, "bands[0].to: not above from"],
  ["line", { bands: [{ axis: "z", from: 1, to: 2 }] }, `bands[0].axis: unknown value "z" -> one of x, y`],
  ["line", { x: { name: "t", scale: "linear", labels: ["a"] } }, "x.labels: only for scale category"],
  ["line", { x: { name: "t", scale: "linear", min: 2, max: 1 } }, "x.max: not above min"],
  ["bar", { x: { name: "t", scale: "category" } }, "x.labels: missing field"],
  [
    "bar",
    { x: { name: "t", scale: "category", labels: ["G1"] } },
    "series[0].data[1][0]: 1 is not the index of a label",
  ],
  [
    "nines",
    series({ data: [[1, 2]] }),
    "series[0].data[0][0]: 1 is not a fraction from 0 to below 1, which scale nines needs",
  ],
  ["range", series({ kind: "range", data: [[0, 2, 1]] }), "series[0].data[0]: the second number is above the third"],
];

describe("reading", () => {
  it("names the plot and the field of each mistake", () => {
    for (const [kind, change, expected] of BAD) {
      assert.equal(refusal(kind, change), `plot '${kind}': ${expected}`);
    }
  });

  it("refuses too many names, and a name twice", () => {
    const lines = (names: string[]): Change => ({
      series: names.map((name) => ({ name, kind: "line", data: [[1, 2]] })),
    });
    assert.match(refusal("line", lines([..."abcdefghi"])), /^plot 'line': series: more than 8 names$/);
    assert.match(refusal("line", lines(["a", "a"])), /series\[1\]\.name: used twice by series of one kind$/);
  });

  it("refuses more than a picture holds", () => {
    const data = Array.from({ length: 501 }, (_, i) => [i, 1, 2]);
    assert.match(refusal("points", { series: [{ name: "a", kind: "range", data }] }), /series: more than 500 bars/);
    const levels = data.map(() => ({ axis: "x", at: 1, label: "l" }));
    assert.match(refusal("points", { levels }), /levels: more than 100$/);
  });

  it("refuses plots without a name or with that of another", () => {
    const { name: _, ...nameless } = SAMPLES.line;
    assert.throws(() => readSpec(JSON.stringify({ plots: [nameless] })), { message: "plots[0].name: not a text" });
    assert.throws(
      () => readSpec(JSON.stringify({ plots: [{ ...nameless, name: "../a" }] })),
      /plots\[0\]\.name: '..\/a'/,
    );
    assert.throws(
      () => readSpec(JSON.stringify({ plots: [SAMPLES.line, SAMPLES.line] })),
      /plot 'line': name: used twice/,
    );
    assert.throws(() => readSpec(JSON.stringify({ plots: [] })), { message: "plots: empty list" });
    assert.throws(() => readSpec("[]"), { message: "not an object" });
  });
});
