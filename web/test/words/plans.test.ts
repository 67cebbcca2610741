import { expect, test } from "vitest";
import { confirmation, differences, mayWaitFor } from "../../src/words/impact";
import { holders } from "../../src/words/locks";
import type { PlanImpact } from "../../src/words/model";
import { notes, phases, phaseStatus, reason, siblings, stages, worstStatus } from "../../src/words/plans";
import { accepts, targets } from "../../src/words/steering";
import { at, cluster, node, nodes, plan, step } from "../sample";

const NODE = { args: { node: "rides/dc1/node-0" } };

test("siblings are the newest plans of the same request in other datacenters", () => {
  const one = plan("dc1-9", {});
  const all = [one, plan("dc2-4", {}), plan("dc2-3", {}), plan("dc3-1", {}, { request: "dc1-r6" })];
  expect(siblings(one, all).map((p) => p.id)).toEqual(["dc1-9", "dc2-4"]);
});

test("phases of one name are one, and steps without a node name their datacenter", () => {
  const merged = phases([
    plan("dc1-9", { lock: [step("lock", { status: "DONE" })], restart: [step("dc1 node-0", NODE)] }),
    plan("my-dc-4", { lock: [step("lock")] }),
  ]);
  expect(merged.map((p) => [p.name, ...p.steps.map((s) => s.name)])).toEqual([
    ["lock", "dc1 lock", "my-dc lock"],
    ["restart", "dc1 node-0"],
  ]);
  expect(merged.map(phaseStatus)).toEqual(["RUNNING", "PENDING"]);
});

test("the worst status stands for all, and a failed step for its phase", () => {
  expect(worstStatus([plan("dc1-1", {}, { status: "COMPLETE" }), plan("dc2-1", {}, { status: "FAILED" })])).toBe(
    "FAILED",
  );
  const [phase] = phases([plan("dc1-1", { a: [step("x", { status: "FAILED" }), step("y", { status: "DONE" })] })]);
  expect(phase && phaseStatus(phase)).toBe("FAILED");
});

test("a note that holds in one datacenter names it", () => {
  const all = [plan("dc1-1", {}, { notes: ["a", "b"] }), plan("dc2-1", {}, { notes: ["a"] })];
  expect(notes(all)).toEqual([
    { text: "a", datacenters: [] },
    { text: "b", datacenters: ["dc1"] },
  ]);
});

test("reasons leave out the mode of the node, and waits say so", () => {
  const running = step("x", { status: "RUNNING", reason: "STARTING: reads its commit log" });
  expect(reason(running, node("dc1", 0, { mode: "STARTING" }))).toBe("reads its commit log");
  expect(reason(step("x", { status: "WAITING", reason: "dc2 is silent" }))).toBe("waits: dc2 is silent");
  expect(stages(node("dc1", 0))).toBe("offer .1 launch .2 binaries .1 executor .6 daemon 3.4 joined 3.5");
});

test("verbs go to the plans that take them", () => {
  const all = [
    plan("dc1-1", { a: [step("x", { status: "FAILED" })] }, { status: "FAILED" }),
    plan("dc2-1", { a: [step("y")] }),
  ];
  expect(all.map((p) => accepts(p, "retry"))).toEqual([true, false]);
  expect(targets(all, "retry").map((t) => t.label)).toEqual(["dc1-1", "dc1-1, step x"]);
  expect(targets(all, "abort").map((t) => t.plans)).toEqual([["dc1-1", "dc2-1"], ["dc1-1"], ["dc2-1"]]);
  expect(targets(all, "force-complete").map((t) => t.step)).toEqual(["x", "y"]);
});

const none: PlanImpact = { stops: [], mostAtOnce: 0, leaves: [], destroysVolumes: [], cannotBeUndone: [] };
const status = cluster({ dc1: nodes("dc1", 2), dc2: nodes("dc2", 2) });
const all = [...nodes("dc1", 2), ...nodes("dc2", 2)].map((n) => n.node);

test.each([
  ["no node stops", none, "BUTTON", "Restart"],
  ["one at a time", { ...none, stops: all, mostAtOnce: 1 }, "BUTTON", "Restart: 4 nodes stop, one at a time"],
  ["one node", { ...none, stops: all.slice(0, 1), mostAtOnce: 1 }, "BUTTON", "Restart: 1 node stops"],
  ["for good", { ...none, cannotBeUndone: ["rows are merged"] }, "TICK", "Restart"],
  ["a rack", { ...none, stops: all, mostAtOnce: 2 }, "BUTTON", "Restart: 4 nodes stop, up to 2 at a time"],
  ["all at once", { ...none, stops: all, mostAtOnce: 4 }, "NAME", "Restart: 4 nodes stop, up to 4 at a time"],
  [
    "data",
    { ...none, destroysVolumes: all.slice(0, 1), cannotBeUndone: ["x"] },
    "NAME",
    "Restart: the data of 1 node are destroyed",
  ],
] as const)("confirmation: %s", (_, impact, by, button) => {
  const asked = confirmation("restart", impact as PlanImpact, status);
  expect([asked.by, asked.button]).toEqual([by, button]);
});

test("an unknown impact asks for the name", () => {
  expect(confirmation("restart", undefined, status).by).toBe("NAME");
});

test("plans that changed show what differs", () => {
  const before = [plan("dc1-1", { restart: [step("dc1 node-0"), step("dc1 node-1")] }, { createdAt: at(0) })];
  const after = [plan("dc1-2", { restart: [step("dc1 node-0"), step("dc1 node-2")] }, { notes: ["slow"] })];
  expect(differences(before, after)).toEqual({
    gone: ["dc1: restart: dc1 node-1"],
    added: ["dc1: restart: dc1 node-2", "dc1: note: slow"],
  });
});

test("a plan that stops others may wait for a node that is not up, unless its datacenter is silent", () => {
  const away = node("dc1", 1, { mode: "UNKNOWN" });
  const status = cluster({ dc1: [node("dc1", 0), away], dc2: [node("dc2", 0, { mode: "UNKNOWN" })] });
  const [, silent] = status.datacenters;
  Object.assign(silent ?? {}, { silence: "refused" });
  const stops = (...names: string[]): PlanImpact => ({
    ...{ stops: names, mostAtOnce: 1, leaves: [], destroysVolumes: [], cannotBeUndone: [] },
  });
  const names = (impact: PlanImpact | undefined) => mayWaitFor(impact, status).map((n) => n.node);
  expect(names(stops("rides/dc1/node-0", away.node))).toEqual([away.node]);
  expect(names(stops(away.node))).toEqual([]);
  expect(names({ ...stops("rides/dc1/node-0"), destroysVolumes: [away.node] })).toEqual([]);
  expect(names(undefined)).toEqual([]);
});

test("who holds a lock is said before a plan is confirmed", () => {
  const lock = {
    ...{ datacenter: "dc1", operation: "restart", lockScope: "RING" as const, who: "anna" },
    since: at(0),
  };
  const locks = [
    { ...lock, holds: true, reason: "plan dc1-7 is running" },
    { ...lock, holds: false, reason: "waits" },
  ];
  expect(holders(cluster({}, { locks }))).toEqual([
    "restart (asked by anna) in dc1 holds the lock on the ring for 1m00s: plan dc1-7 is running",
  ]);
});
