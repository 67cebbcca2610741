import { expect, test } from "vitest";
import { neighbour, racks } from "../../src/draw/racks";
import { notKnown } from "../../src/words/states";
import { at, cluster, node, nodes, plan, step } from "../sample";

test("a datacenter is a column, a rack a row that wraps at the width", () => {
  const view = racks(cluster({ dc1: nodes("dc1", 7), dc2: nodes("dc2", 3) }), 170);
  expect(view.dense).toBe(false);
  expect(view.columns.map((c) => [c.datacenter, c.summary])).toEqual([
    ["dc1", "7 of 7 nodes NORMAL"],
    ["dc2", "3 of 3 nodes NORMAL"],
  ]);
  const [first] = view.columns[0]?.rows ?? [];
  expect(first?.tiles.map((t) => [t.name, t.x, t.y])).toEqual([
    ["node-0", 0, 20],
    ["node-3", 82, 20],
    ["node-6", 0, 70],
  ]);
});

test("no tiles overlap, and all lie within the drawing", () => {
  const [column] = racks(cluster({ dc1: nodes("dc1", 40) }), 400).columns;
  const places = new Set(column?.tiles.map((t) => `${t.x},${t.y}`));
  expect(places.size).toBe(40);
  expect(column?.tiles.every((t) => t.x + 76 <= column.width && t.y + 44 <= column.height)).toBe(true);
});

test("racks are in the order of their numbers, a node without a rack has a row", () => {
  const without = node("dc1", 2);
  delete without.rack;
  const members = [node("dc1", 0, { rack: "r10" }), node("dc1", 1, { rack: "r2" }), without];
  const [column] = racks(cluster({ dc1: members }), 400).columns;
  expect(column?.rows.map((r) => r.rack)).toEqual(["", "r2", "r10"]);
});

test("above 200 nodes: cells, with totals by mode", () => {
  const many = nodes("dc1", 201);
  many[3] = node("dc1", 3, { mode: "DOWN" });
  const view = racks(cluster({ dc1: many }), 400);
  expect([view.dense, view.tile.width]).toEqual([true, 12]);
  expect(view.columns[0]?.rows[0]?.summary).toBe("66 NORMAL, 1 DOWN");
});

test("a tile has its load, its step at work, and what is known in words", () => {
  const down = node("dc1", 1, { mode: "DOWN", activity: "restarts in 4 s", exits: 3, pendingHintsBytes: 5 << 20 });
  const work = step("dc1 node-0", { status: "RUNNING", args: { node: "rides/dc1/node-0" } });
  const status = cluster({ dc1: [node("dc1", 0), down] }, { plans: [plan("dc1-1", { restart: [work] })] });
  const tiles = racks(status, 400, new Set(["rides/dc1/node-1"])).columns[0]?.tiles ?? [];
  expect(tiles.map((t) => [t.load, t.atWork, t.lit])).toEqual([
    [0.5, true, false],
    [1, false, true],
  ]);
  expect(tiles[1]?.facts).toEqual([
    "DOWN for 51.0 s",
    "restarts in 4 s",
    "on machine-2",
    "load 205 KiB",
    "seed",
    "hints 5 MiB",
    "died 3 times",
  ]);
});

test("a silent datacenter has its reason and its last report", () => {
  const status = cluster({ dc1: nodes("dc1", 1) });
  status.datacenters = status.datacenters.map((d) => ({ ...d, silence: "connection refused", lastHeard: at(20) }));
  expect(racks(status, 400).columns[0]?.silence).toEqual({ reason: "connection refused", lastHeard: at(20) });
});

test("a node of a silent datacenter has the mode of the last report, and is not known now", () => {
  const gone = node("dc2", 0, { mode: "UNKNOWN", activity: "was NORMAL in the last report" });
  const status = cluster({ dc1: nodes("dc1", 1), dc2: [gone] });
  const silent = status.datacenters.map((d) => (d.datacenter === "dc2" ? { ...d, silence: "refused" } : d));
  const [, column] = racks({ ...status, datacenters: silent }, 400).columns;
  expect(column?.tiles[0]?.state).toEqual({ tone: "warn", shape: "triangle", word: "was NORMAL" });
  expect(racks(status, 400).columns[1]?.tiles[0]?.state).toMatchObject({ tone: "bad", word: "UNKNOWN" });
  expect([notKnown(silent), notKnown(status.datacenters)]).toEqual([1, 0]);
});

test("arrow keys lead to the nearest tile, and stay at the edge", () => {
  const tiles = racks(cluster({ dc1: nodes("dc1", 7) }), 400).columns[0]?.tiles ?? [];
  const [first, second] = tiles;
  const go = (from: typeof first, key: string) => from && neighbour(tiles, from, key).name;
  expect(go(first, "ArrowRight")).toBe("node-3");
  expect(go(second, "ArrowDown")).toBe("node-4");
  expect(go(first, "ArrowUp")).toBe("node-0");
  expect(go(first, "ArrowLeft")).toBe("node-0");
  expect(go(first, "End")).toBe("node-5");
});
