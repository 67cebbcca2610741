import type { components } from "../../src/api/schema";

type Schemas = components["schemas"];
export type NodeState = Schemas["NodeState"];
export type Plan = Schemas["Plan"];
export type StepState = Schemas["StepState"];
export type ClusterStatus = Schemas["ClusterStatus"];
export type ClusterSummary = Schemas["ClusterSummary"];
export type MachineState = Schemas["MachineState"];
export type Unanswered = Schemas["Unanswered"];

const GIB = 2 ** 30;

/** An instant, in seconds before now. */
export function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

export function node(cluster: string, dc: string, i: number, more: Partial<NodeState> = {}): NodeState {
  return {
    node: `${cluster}/${dc}/node-${i}`,
    rack: `r${(i % 3) + 1}`,
    machine: `${dc}-machine-${i + 1}`,
    seed: i < 2,
    joined: true,
    mode: "NORMAL",
    activity: "serves",
    since: ago(86_400 + i * 60),
    stagesMs: { OFFER: 100, LAUNCH: 200, BINARIES: 100, EXECUTOR: 600, DAEMON: 3400, JOINED: 3500 },
    specVersion: 3,
    appliedSpecVersion: 3,
    exits: 0,
    releaseVersion: "5.0.9",
    schemaVersion: "a1",
    loadBytes: (1 + (i % 5) / 4) * 42 * GIB,
    pendingHintsBytes: 0,
    effectiveOwnership: { trips: 1 },
    keyspaces: [{ name: "trips", replicas: { dc1: 3, dc2: 3 } }],
    seesNormal: 6,
    ...more,
  };
}

export function step(name: string, status: StepState["status"], more: Partial<StepState> = {}): StepState {
  return { name, type: "restart-node", args: {}, memory: {}, status, ...more };
}

export function plan(id: string, cluster: string, more: Partial<Plan> = {}): Plan {
  return {
    id,
    cluster,
    operation: "restart",
    params: {},
    specVersion: 3,
    requestedBy: "anna",
    createdAt: ago(127),
    status: "RUNNING",
    phases: [
      {
        name: "restart",
        strategy: "SERIAL",
        steps: [
          step("dc1 node-0", "DONE", { startedAt: ago(120), endedAt: ago(70) }),
          step("dc1 node-1", "WAITING", {
            startedAt: ago(60),
            since: ago(42),
            reason: "rides/dc1/node-1 has been NORMAL for 18 s, a node counts as stable after 60 s",
          }),
          step("dc1 node-2", "PENDING"),
        ],
      },
    ],
    notes: [],
    ...more,
  };
}

export function status(cluster: string, dcs: Record<string, NodeState[]>, more: Partial<ClusterStatus>): ClusterStatus {
  const nodes = Object.values(dcs).flat();
  return {
    cluster,
    at: ago(0),
    condition: "HEALTHY",
    specVersion: 3,
    cassandraVersion: "5.0.9",
    created: true,
    nodes: nodes.length,
    normal: nodes.filter((n) => n.mode === "NORMAL").length,
    schemaVersions: { "2207c2a9-f598-3971-986b-2926e09e239d": nodes.map((n) => n.node) },
    datacenters: Object.entries(dcs).map(([datacenter, all]) => ({
      datacenter,
      nodesWanted: all.length,
      settledSpecVersion: 3,
      nodes: all,
    })),
    plans: [],
    contactPoints: nodes.filter((n) => n.mode === "NORMAL").map((_, i) => `127.1.1.${i + 1}:9042`),
    findings: [],
    repair: { every: "7d", intensity: 0.5, due: ago(-3 * 86_400), why: "the oldest repair is 4 days old" },
    ...more,
  };
}

export function machine(
  dc: string,
  i: number,
  used: number,
  more: Partial<MachineState["machine"]> = {},
): MachineState {
  const memory = 64 * GIB;
  return {
    datacenter: dc,
    machine: {
      name: `${dc}-machine-${i + 1}`,
      rack: `r${(i % 3) + 1}`,
      cpuMillis: 16_000,
      memoryBytes: memory,
      diskBytes: 2048 * GIB,
      cordoned: false,
      state: "READY",
      ...more,
    },
    freeCpuMillis: Math.round(16_000 * (1 - used)),
    freeMemoryBytes: Math.round(memory * (1 - used * 0.8)),
    freeDiskBytes: Math.round(2048 * GIB * (1 - used * 0.5)),
    allocations: used === 0 ? [] : [allocation(`rides/${dc}/node-${i % 3}`, `${dc}-machine-${i + 1}`)],
  };
}

function allocation(node: string, machine: string): MachineState["allocations"][number] {
  const resources = { cpuMillis: 4000, memoryBytes: 16 * GIB, heapBytes: 8 * GIB, diskBytes: 500 * GIB };
  const ports = { storage: 7000, sslStorage: 7001, nativeTransport: 9042, executor: 8090 };
  return {
    allocation: { id: node.replaceAll("/", "-"), node, machine, ports, resources },
    status: "RUNNING",
    since: ago(86_400),
    revision: 1,
    resources,
  };
}
