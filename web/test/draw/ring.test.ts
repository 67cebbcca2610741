import { expect, test } from "vitest";
import {
  bands,
  evenness,
  factors,
  isToken,
  labels,
  nodeShape,
  position,
  rackShapes,
  ranges,
  replicas,
} from "../../src/draw/ring";
import type { RingNode } from "../../src/words/model";
import { cluster, nodes } from "../sample";

function member(index: number, rack: string, tokens: string[], more: Partial<RingNode> = {}): RingNode {
  return { node: `rides/dc1/node-${index}`, rack, mode: "NORMAL", joined: true, leaving: false, tokens, ...more };
}

const names = (of: RingNode[]) => of.map((n) => Number(n.node.slice(n.node.lastIndexOf("-") + 1)));

test("tokens are placed on the whole ring without losing their order", () => {
  expect(position("-9223372036854775808")).toBe(0);
  expect(position("0")).toBe(0.5);
  expect(position("9223372036854775807")).toBeCloseTo(1);
  expect(position("4611686018427387904")).toBe(0.75);
});

test.each([
  ["9223372036854775807", true],
  ["9223372036854775808", false],
  ["-9223372036854775808", true],
  ["1e3", false],
  ["", false],
])("%s is a token: %s", (text, expected) => {
  expect(isToken(text)).toBe(expected);
});

test("the first range starts at the last token", () => {
  const all = ranges([member(0, "r1", ["0"]), member(1, "r2", ["-4611686018427387904"])]);
  expect(all.map((r) => [r.from, r.to])).toEqual([
    [0.5, 0.25],
    [0.25, 0.5],
  ]);
});

test("the only range is the whole ring", () => {
  const [band] = bands([member(0, "r1", ["0"])]);
  expect(band && rackShapes(band)[0]?.path.match(/M/g)).toHaveLength(2);
  expect(band && labels(band)).toHaveLength(1);
});

/** Tokens at 0, 100, 200 and so on; node i has the i-th. */
const line = (...racks: string[]) => racks.map((rack, i) => member(i, rack, [String(i * 100)]));

test("replicas are on different racks first", () => {
  const ring = line("a", "a", "b", "b", "c");
  expect(names(replicas("50", ring, 3))).toEqual([1, 2, 4]);
  expect(names(replicas("100", ring, 2))).toEqual([1, 2]);
  expect(names(replicas("101", ring, 2))).toEqual([2, 4]);
  expect(names(replicas("401", ring, 3))).toEqual([0, 2, 4]);
});

test("a rack comes again only when there are fewer racks than replicas", () => {
  const ring = line("a", "a", "a", "b");
  expect(names(replicas("0", ring, 3))).toEqual([0, 1, 3]);
  expect(names(replicas("0", line("a", "a", "a"), 2))).toEqual([0, 1]);
  expect(names(replicas("0", ring, 9))).toHaveLength(4);
});

test("a node that joins is no replica yet", () => {
  const ring = [...line("a", "b"), member(7, "c", ["50"], { joined: false })];
  expect(names(replicas("40", ring, 3))).toEqual([1, 0]);
  expect(replicas("40", [], 3)).toEqual([]);
});

test("many vnodes become few shapes of few sectors", () => {
  const step = 2n ** 64n / 3200n;
  const all = Array.from({ length: 200 }, (_, i) =>
    member(
      i,
      `r${i % 3}`,
      Array.from({ length: 16 }, (_, v) => String(BigInt(i + v * 200) * step - 2n ** 63n)),
    ),
  );
  const [band] = bands(all);
  const shapes = band === undefined ? [] : rackShapes(band);
  expect(shapes.map((s) => s.rack)).toEqual(["r0", "r1", "r2"]);
  expect(shapes.every((s) => (s.path.match(/M/g) ?? []).length === 120)).toBe(true);
  expect(band && labels(band)).toEqual([]);
  expect(band && nodeShape(band, (n) => n.node.endsWith("/node-5")).match(/M/g)).toHaveLength(16);
});

test("bands lie inside each other", () => {
  const all = [member(0, "r1", ["0"]), { ...member(0, "r1", ["1"]), node: "rides/dc2/node-0" }];
  const [outer, inner] = bands(all);
  expect(outer?.datacenter).toBe("dc1");
  expect((inner?.outer ?? 0) < (outer?.inner ?? 0)).toBe(true);
});

test("evenness has no ratio when a node has nothing", () => {
  expect(evenness([0.5, 0.25])).toEqual({ least: 0.25, most: 0.5, ratio: 2 });
  expect(evenness([0.5, 0])?.ratio).toBeUndefined();
  expect(evenness([])).toBeUndefined();
  expect(factors(cluster({ dc1: nodes("dc1", 1) }), "trips").get("dc2")).toBe(3);
});
