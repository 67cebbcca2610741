import { describe, expect, it } from "vitest";
import type { FleetEvent } from "../../src/live/follow";
import { concerns, marks } from "../../src/live/marks";

const URLS = [
  "/clusters",
  "/clusters/rides/status",
  "/clusters/rides/ring",
  "/clusters/rides-two/status",
  "/plans",
  "/plans?cluster=rides",
  "/plans/dc1-7",
  "/plans/dc1-77",
  "/machines",
  "/datacenters",
  "/operations",
];

function stale(event: Partial<FleetEvent> & Pick<FleetEvent, "type">): string[] {
  const all = marks({ id: "a-1", at: "2026-01-02T03:04:05Z", subject: "", text: "", ...event });
  return URLS.filter((url) => all.some((mark) => concerns(mark, url)));
}

describe("what an event makes stale", () => {
  it("is the list and the cluster of a node, and no cluster with a longer name", () => {
    expect(stale({ type: "NODE", cluster: "rides", subject: "rides/dc1/node-0" })).toEqual([
      "/clusters",
      "/clusters/rides/status",
      "/clusters/rides/ring",
    ]);
  });

  it("is a plan, the lists of plans and its cluster", () => {
    expect(stale({ type: "PLAN", cluster: "rides", subject: "dc1-7" })).toEqual([
      "/clusters",
      "/clusters/rides/status",
      "/clusters/rides/ring",
      "/plans",
      "/plans?cluster=rides",
      "/plans/dc1-7",
    ]);
  });

  it("is the machines for the pool", () => {
    expect(stale({ type: "POOL" })).toEqual(["/machines", "/datacenters"]);
  });

  it("is everything after RESET, PEER and an event of a newer server", () => {
    expect(stale({ type: "RESET" })).toEqual(URLS);
    expect(stale({ type: "PEER", subject: "dc2" })).toEqual(URLS);
    expect(stale({ type: "TIDES" as FleetEvent["type"] })).toEqual(URLS);
  });
});
