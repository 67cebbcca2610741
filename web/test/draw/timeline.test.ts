import { expect, test } from "vitest";
import { outcome, phaseState, stateOf, timeline, type StepRow, type Timeline } from "../../src/draw/timeline";
import type { PlanEvent, RecentEvents, StepState } from "../../src/words/model";
import { at, node, plan, step } from "../sample";

const NODE = { node: "rides/dc1/node-0" };
const now = Date.parse(at(100));

function draw(steps: StepState[], recent?: RecentEvents, more = {}): Timeline {
  return timeline([plan("dc1-9", { restart: steps }, more)], new Map(), recent, now);
}

function rows(of: Timeline): StepRow[] {
  return of.phases.flatMap((p) => p.rows);
}

function event(seconds: number, status: string, text: string): PlanEvent {
  return { id: `x-${seconds}`, at: at(seconds), type: "PLAN", subject: "dc1-9", step: "dc1 node-0", status, text };
}

const kinds = (t: Timeline) => rows(t)[0]?.segments.map((s) => [s.kind, (s.from - Date.parse(at(0))) / 1000, s.text]);

test("all datacenters share one axis, with now on it", () => {
  const one = plan("dc1-9", { restart: [step("dc1 node-0", { status: "RUNNING", startedAt: at(50) })] });
  const two = plan("dc2-4", { restart: [step("dc2 node-0")] }, { createdAt: at(20) });
  const view = timeline([one, two], new Map(), undefined, now);
  expect(view.from).toBe(Date.parse(at(0)));
  expect(view.now).toBeCloseTo(100 / 1.04);
  const [running] = rows(view)[0]?.segments ?? [];
  expect(running?.x).toBeCloseTo(50 / 1.04);
  expect(running && running.x + running.width).toBeCloseTo(view.now ?? 0);
  expect(rows(view)[1]?.segments).toEqual([]);
});

test("earlier waits come from events, the last one from the step", () => {
  const waiting = step("dc1 node-0", { status: "WAITING", startedAt: at(10), since: at(60), reason: "dc2 is silent" });
  const recent = {
    since: at(-50),
    items: [
      event(10, "WAITING", "dc1 node-0: waiting: node-2 keeps 5 MiB of hints"),
      event(30, "RUNNING", "dc1 node-0: running: drains"),
      event(60, "WAITING", "dc1 node-0: waiting: dc2 is silent"),
    ],
  };
  const view = draw([waiting], recent);
  expect(kinds(view)).toEqual([
    ["WAIT", 10, "node-2 keeps 5 MiB of hints"],
    ["RUN", 30, "drains"],
    ["WAIT", 60, "dc2 is silent"],
  ]);
  expect(view.reasonsLost).toBe(false);
});

test("a step that waits for its own node is at work", () => {
  const waiting = step("dc1 node-0", {
    ...{ status: "WAITING" as const, startedAt: at(10), since: at(60) },
    reason: "STARTING: reads system tables",
  });
  const recent = { since: at(0), items: [event(10, "WAITING", "dc1 node-0: waiting: node-2 is DOWN: exits")] };
  expect(kinds(draw([waiting], recent))).toEqual([
    ["WAIT", 10, "node-2 is DOWN: exits"],
    ["RUN", 60, "STARTING: reads system tables"],
  ]);
});

test("what is older than the events is unknown, and said", () => {
  const waiting = step("dc1 node-0", { status: "WAITING", startedAt: at(10), since: at(60), reason: "x" });
  const view = draw([waiting], { since: at(40), items: [] });
  expect(kinds(view)?.map(([kind]) => kind)).toEqual(["UNKNOWN", "WAIT"]);
  expect(view.reasonsLost).toBe(true);
});

test("a failed step stays open until now", () => {
  const problem = { code: "DAEMON_FAILED", message: "does not come back" } as const;
  const failed = step("dc1 node-0", { status: "FAILED", startedAt: at(10), endedAt: at(30), problem });
  const view = draw([failed]);
  expect(kinds(view)).toEqual([
    ["RUN", 10, ""],
    ["FAILED", 30, "does not come back"],
  ]);
  const last = rows(view)[0]?.segments.at(-1);
  expect([last?.open, last?.to]).toEqual([true, now]);
  expect(rows(view)[0]?.elapsed).toBe(20_000);
});

test("a finished plan has no now and stays the same", () => {
  const done = step("dc1 node-0", { status: "DONE", startedAt: at(2), endedAt: at(18), reason: "NORMAL" });
  const over = { status: "COMPLETE" as const, endedAt: at(20) };
  const view = draw([done], undefined, over);
  expect(view.now).toBeUndefined();
  expect(view.to).toBe(Date.parse(at(21)));
  expect(view.phases[0]).toMatchObject({ status: "DONE", done: 1, elapsed: 16_000 });
  const later = timeline([plan("dc1-9", { restart: [done] }, over)], new Map(), undefined, now + 1e9);
  expect(later).toEqual(view);
});

test("in a plan that was aborted nothing waits any more", () => {
  const steps = [
    step("dc1 node-0", { status: "DONE", startedAt: at(2), endedAt: at(8) }),
    step("dc1 node-1", { status: "WAITING", startedAt: at(8), since: at(9), reason: "node-2 is DOWN" }),
    step("dc1 node-2"),
  ];
  const words = (t: Timeline) => rows(t).map((r) => `${stateOf(r).word} ${stateOf(r).tone}`);
  const over = draw(steps, undefined, { status: "ABORTED", endedAt: at(20) });
  expect(words(over)).toEqual(["done good", "ended idle", "not started idle"]);
  expect(over.phases.map((p) => phaseState(p).tone)).toEqual(["idle"]);
  const open = draw(steps);
  expect(words(open)).toEqual(["done good", "waiting warn", "pending idle"]);
  expect(open.phases.map((p) => phaseState(p).tone)).toEqual(["change"]);
});

test("the stages of a start are ticks within its bar", () => {
  const starting = node("dc1", 0, { stagesAt: { OFFER: at(-500), LAUNCH: at(12), DAEMON: at(16), JOINED: at(18) } });
  const done = step("dc1 node-0", {
    type: "deploy-node",
    args: NODE,
    status: "DONE",
    startedAt: at(10),
    endedAt: at(18),
  });
  const view = timeline([plan("dc1-9", { nodes: [done] })], new Map([[NODE.node, starting]]), undefined, now);
  const [row] = rows(view);
  expect(row?.stages.map((s) => s.label)).toEqual(["launch", "daemon", "joined"]);
  expect(row && outcome(row)).toBe("offer .1 launch .2 binaries .1 executor .6 daemon 3.4 joined 3.5");
});

test.each([
  [5, 5],
  [100, 6],
  [86_400 * 3, 6],
  [86_400 * 900, 8],
])("an axis of %d s has few lines", (seconds, lines) => {
  const view = timeline([plan("dc1-9", {})], new Map(), undefined, Date.parse(at(seconds)));
  expect(view.ticks.length).toBeGreaterThanOrEqual(Math.min(lines, 4));
  expect(view.ticks.length).toBeLessThanOrEqual(9);
  expect(view.ticks.every((t) => t.x >= 0 && t.x <= 100)).toBe(true);
});
