import type { ClusterStatus, NodeState, Plan, PlanStatus, StepState } from "../src/words/model";

/** Typed samples of the API's answers. */

const START = Date.parse("2026-01-02T03:04:05Z");

export function at(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

export function node(datacenter: string, index: number, more: Partial<NodeState> = {}): NodeState {
  return {
    node: `rides/${datacenter}/node-${index}`,
    rack: `r${(index % 3) + 1}`,
    machine: `machine-${index + 1}`,
    seed: index < 2,
    joined: true,
    mode: "NORMAL",
    activity: "serving",
    since: at(9),
    stagesMs: { OFFER: 100, LAUNCH: 200, BINARIES: 60, EXECUTOR: 640, DAEMON: 3400, JOINED: 3510 },
    loadBytes: 104_857 * (index + 1),
    effectiveOwnership: { trips: 1 },
    keyspaces: [{ name: "trips", replicas: { dc1: 3, dc2: 3 } }],
    exits: 0,
    pendingHintsBytes: 0,
    ...more,
  };
}

export function nodes(datacenter: string, count: number): NodeState[] {
  return Array.from({ length: count }, (_, i) => node(datacenter, i));
}

export function cluster(parts: Record<string, NodeState[]>, more: Partial<ClusterStatus> = {}): ClusterStatus {
  const all = Object.values(parts).flat();
  return {
    cluster: "rides",
    at: at(60),
    condition: "HEALTHY",
    specVersion: 3,
    cassandraVersion: "5.0.9",
    created: true,
    nodes: all.length,
    normal: all.filter((n) => n.mode === "NORMAL").length,
    schemaVersions: { "54e17321-3f2e": ["all"] },
    datacenters: Object.entries(parts).map(([datacenter, members]) => ({
      datacenter,
      nodesWanted: members.length,
      settledSpecVersion: 3,
      nodes: members,
    })),
    plans: [],
    contactPoints: [],
    findings: [],
    locks: [],
    ...more,
  };
}

export function step(name: string, more: Partial<StepState> = {}): StepState {
  return { name, type: "restart-node", args: {}, memory: {}, status: "PENDING", ...more };
}

export function plan(id: string, phases: Record<string, StepState[]>, more: Partial<Plan> = {}): Plan {
  return {
    id,
    cluster: "rides",
    operation: "restart",
    params: {},
    specVersion: 3,
    requestedBy: "anna",
    request: "dc1-r7",
    createdAt: at(0),
    status: "RUNNING" satisfies PlanStatus,
    phases: Object.entries(phases).map(([name, steps]) => ({ name, strategy: "SERIAL" as const, steps })),
    notes: [],
    ...more,
  };
}
