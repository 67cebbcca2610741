import { expect, it } from "vitest";
import { byDatacenter, isOffered, level, matches, replacement, total, use, used } from "../../src/screens/machines";
import { machine } from "../played/make";

it("has ten steps of use; only an empty machine is at none", () => {
  expect([0, 1, 10, 11, 99, 100].map((used) => level({ used, all: 100 }))).toEqual([0, 1, 1, 2, 10, 10]);
  expect(level({ used: 0, all: 0 })).toBe(0);
});

it("groups machines by datacenter and rack, and counts those that are out of use", () => {
  const all = [
    machine("dc2", 0, 0.5),
    machine("dc1", 3, 0),
    machine("dc1", 0, 0.25, { state: "UNREACHABLE" }),
    machine("dc1", 1, 0.75, { cordoned: true }),
  ];
  const [dc1, dc2] = byDatacenter(all);
  expect([dc1?.datacenter, dc1?.lost, dc1?.cordoned, dc2?.datacenter]).toEqual(["dc1", 1, 1, "dc2"]);
  expect(dc1?.racks.map((r) => [r.rack, r.machines.length])).toEqual([
    ["r1", 2],
    ["r2", 1],
  ]);
  expect(total(dc1?.machines ?? [], "cpu")).toEqual({ used: 16_000, all: 48_000 });
});

it("finds a machine by its name, state or node", () => {
  const lost = machine("dc1", 1, 0.5, { state: "UNREACHABLE" });
  expect(["lost", "dc1/dc1-machine-2", "rides/dc1/node-1"].every((text) => matches(lost, text))).toBe(true);
  expect(matches(lost, "cordoned")).toBe(false);
  expect(use(lost, "cpu").used).toBe(8000);
});

it("shows a machine that the pool does not offer as lost, without capacity", () => {
  const missing = machine("dc1", 1, 0.5, { state: "UNREACHABLE", cpuMillis: 0, memoryBytes: 0, diskBytes: 0 });
  const free = { freeCpuMillis: 0, freeMemoryBytes: 0, freeDiskBytes: 0 };
  const [dc1] = byDatacenter([machine("dc1", 0, 0.5), { ...missing, ...free }]);
  expect([isOffered(missing), isOffered(machine("dc1", 0, 0.5))]).toEqual([false, true]);
  expect(dc1?.lost).toBe(1);
  expect([used(missing, "cpu"), used(machine("dc1", 0, 0.5), "cpu")]).toEqual(["-", "50.0 %"]);
  expect(total(dc1?.machines ?? [], "cpu")).toEqual({ used: 8000, all: 16_000 });
});

it("leads from a node to the dialog that replaces it", () => {
  expect(replacement("rides/dc1/node-0")).toBe("/clusters/rides?do=replace&node=dc1%2Fnode-0");
});
