import { expect, it } from "vitest";
import { progress, whatNow, worstFirst } from "../../src/screens/planList";
import { ago, plan, step } from "../played/make";

it("shows stopped plans first, then running ones, then the newest", () => {
  const all = [
    plan("dc1-1", "rides", { status: "COMPLETE", createdAt: ago(900) }),
    plan("dc1-2", "rides", { status: "ABORTED", createdAt: ago(300) }),
    plan("dc1-3", "rides"),
    plan("dc1-4", "rides", { status: "PAUSED" }),
    plan("dc1-5", "rides", { status: "FAILED" }),
  ];
  expect(worstFirst(all).map((p) => p.id)).toEqual(["dc1-5", "dc1-4", "dc1-3", "dc1-2", "dc1-1"]);
});

it("says what a plan does now: a failure before a wait", () => {
  const waits = step("dc1 node-0", "WAITING", { reason: "hints are being delivered" });
  const failed = step("dc1 node-1", "FAILED", { problem: { code: "DISK_FULL", message: "no space left" } });
  const phases = [{ name: "restart", strategy: "PARALLEL" as const, steps: [waits, failed, step("x", "DONE")] }];
  const both = plan("dc1-1", "rides", { phases });
  expect(whatNow(both)).toBe("dc1 node-1: no space left, and 1 more");
  expect(progress(both)).toEqual({ done: 1, all: 3 });
  expect(whatNow(plan("dc1-1", "rides", { phases, status: "COMPLETE" }))).toBe("");
});
