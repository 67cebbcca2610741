import { describe, expect, it } from "vitest";
import { matches, sentence, worstFirst, type ClusterSummary } from "../../src/screens/fleet";

function cluster(name: string, condition: ClusterSummary["condition"], more: Partial<ClusterSummary> = {}) {
  const numbers = { specVersion: 1, nodes: 3, normal: 3 };
  return { cluster: name, condition, cassandraVersion: "5.0.9", datacenters: ["dc1"], plans: [], ...numbers, ...more };
}

describe("the fleet", () => {
  it("shows first what needs a person", () => {
    const all = [
      cluster("b", "HEALTHY"),
      cluster("a", "HEALTHY"),
      cluster("warned", "HEALTHY", { warnings: 1 }),
      cluster("changing", "CHANGING"),
      cluster("degraded", "DEGRADED"),
      cluster("wrong", "HEALTHY", { errors: 1 }),
      cluster("failed", "FAILED"),
    ];
    const names = worstFirst(all).map((c) => c.cluster);
    expect(names).toEqual(["failed", "wrong", "degraded", "changing", "warned", "a", "b"]);
  });

  it("is one sentence", () => {
    const well = (n: number) => Array.from({ length: n }, (_, i) => cluster(`c${i}`, "HEALTHY"));
    const changing = [cluster("x", "CREATING"), cluster("y", "DELETING")];
    expect(sentence([...well(997), ...changing, cluster("z", "FAILED")])).toBe(
      "997 of 1,000 clusters are well, 2 change, 1 waits for you",
    );
    expect(sentence(well(6))).toBe("All 6 clusters are well");
    expect(sentence(well(1))).toBe("1 of 1 cluster is well");
    expect(sentence([cluster("x", "DEGRADED")])).toBe("0 of 1 cluster is well, 1 is degraded");
  });

  it("is filtered by each word of the text", () => {
    const rides = cluster("rides", "DEGRADED");
    expect(matches(rides, "")).toBe(true);
    expect(matches(rides, "RID dc1")).toBe(true);
    expect(matches(rides, "rides dc2")).toBe(false);
    const worst = { severity: "ERROR", subject: "dc2/node-1", message: "is DOWN" } as const;
    expect(matches({ ...rides, worst }, "rides dc2/node-1 down")).toBe(true);
  });
});
