import {
  ago,
  machine,
  node,
  plan,
  status,
  step,
  type ClusterStatus,
  type MachineState,
  type NodeState,
  type Unanswered,
} from "./make";

/** What a played server answers with. */
export interface Scene {
  clusters: ClusterStatus[];
  machines: MachineState[];
  unanswered: Unanswered[];
  who?: string;
}

const three = (cluster: string, dc: string) => [0, 1, 2].map((i) => node(cluster, dc, i));
const healthy = (cluster: string) => status(cluster, { dc1: three(cluster, "dc1"), dc2: three(cluster, "dc2") }, {});

const machines = ["dc1", "dc2"].flatMap((dc) =>
  Array.from({ length: 24 }, (_, i) =>
    machine(dc, i, (i * 37 + (dc === "dc1" ? 11 : 23)) % 10 < 2 ? 0 : ((i * 37) % 95) / 100),
  ),
);

const busy = status(
  "rides",
  {
    dc1: [
      node("rides", "dc1", 0),
      node("rides", "dc1", 1, { mode: "DRAINING", activity: "drains" }),
      node("rides", "dc1", 2),
    ],
    dc2: three("rides", "dc2"),
  },
  {
    condition: "CHANGING",
    plans: [
      plan("dc1-7", "rides", { request: "dc1-r3" }),
      plan("dc2-4", "rides", { status: "COMPLETE", endedAt: ago(3600) }),
    ],
    locks: [
      {
        datacenter: "dc1",
        operation: "restart",
        request: "dc1-r3",
        lockScope: "RING",
        who: "anna",
        plan: "dc1-7",
        holds: true,
        since: ago(127),
        reason: "plan dc1-7 is running in dc1",
      },
      {
        datacenter: "dc1",
        operation: "repair",
        request: "dc1-r4",
        lockScope: "REPAIR",
        who: "the repair schedule",
        holds: false,
        since: ago(65),
        reason: "waits for restart dc1-r3",
      },
    ],
  },
);

const lost = "machine dc1-machine-2 has been lost for 2m05s, its volume is not there";
const troubled = status(
  "rides",
  {
    dc1: [
      node("rides", "dc1", 0),
      node("rides", "dc1", 1, { mode: "DOWN", activity: "is down", since: ago(125), exits: 3 }),
      node("rides", "dc1", 2),
    ],
    dc2: three("rides", "dc2"),
  },
  {
    condition: "FAILED",
    schemaVersions: { a: ["rides/dc1/node-0"], b: ["rides/dc1/node-2"] },
    findings: [
      {
        severity: "ERROR",
        subject: "dc1-9",
        message:
          "the step dc1 node-1 failed: the daemon ended with exit code 1: java.io.IOException: No space left on device",
        since: ago(90),
        nextStep: { text: "free space on its machine, then {}", commands: ["plan retry dc1-9"] },
      },
      {
        severity: "ERROR",
        subject: "rides/dc1/node-1",
        message: lost,
        since: ago(125),
        nextStep: { text: "if the machine does not come back, {}", commands: ["node replace rides/dc1/node-1"] },
      },
      {
        severity: "WARNING",
        subject: "rides/dc2/node-2",
        message: "holds 1.2 GiB of hints for rides/dc1/node-1",
        since: ago(60),
        nextStep: { text: "look at its log: {}", commands: ["node logs rides/dc2/node-2"] },
      },
    ],
    plans: [
      plan("dc1-9", "rides", {
        status: "FAILED",
        problem: { code: "DAEMON_FAILED", message: "the daemon of rides/dc1/node-1 does not start" },
        phases: [
          {
            name: "restart",
            strategy: "SERIAL",
            steps: [
              step("dc1 node-0", "DONE"),
              step("dc1 node-1", "FAILED", {
                since: ago(90),
                problem: { code: "DISK_FULL", message: "exit code 1: No space left on device" },
              }),
              step("dc1 node-2", "PENDING"),
            ],
          },
        ],
      }),
      plan("dc2-5", "rides", { status: "PAUSED" }),
    ],
  },
);

const LONG = "a-cluster-whose-name-has-all-the-48-characters-x";
const hostile = status(
  LONG,
  { dc1: three(LONG, "dc1") },
  {
    condition: "DEGRADED",
    findings: [
      {
        severity: "WARNING",
        subject: `${LONG}/dc1/node-0`,
        message: "<img src=x onerror=alert(1)> \u202eשלום\u202c {@html}",
      },
    ],
  },
);

const deploying = status(
  "rides",
  {
    dc1: [
      node("rides", "dc1", 0, { joined: true }),
      node("rides", "dc1", 1, { mode: "JOINING", joined: false, activity: "streams", loadBytes: 2 ** 28 }),
      node("rides", "dc1", 2, { mode: "UNKNOWN", joined: false, activity: "waits for an offer" }),
    ],
  },
  {
    condition: "CREATING",
    created: false,
    contactPoints: [],
    specVersion: 1,
    plans: [plan("dc1-1", "rides", { operation: "deploy" })],
  },
);
delete deploying.repair;

const silentDc = { datacenter: "dc2", reason: "http://127.0.0.1:8081: connection refused", lastHeard: ago(74) };
/** As another datacenter reports them: without rack and load. */
const reported = three("rides", "dc2").map((n): NodeState => {
  const known: NodeState = { ...n, mode: "UNKNOWN", activity: "was NORMAL in the last report" };
  delete known.rack;
  delete known.loadBytes;
  delete known.since;
  return known;
});
const silent = status("rides", { dc1: three("rides", "dc1"), dc2: reported }, { condition: "DEGRADED" });
Object.assign(silent.datacenters[1] ?? {}, { silence: silentDc.reason, lastHeard: silentDc.lastHeard });

const others = ["billing", "catalog", "events", "payments", "search"].map(healthy);

export const scenes = {
  healthy: { clusters: [healthy("rides"), ...others], machines, unanswered: [], who: "anna" },
  busy: { clusters: [busy, ...others], machines, unanswered: [], who: "anna" },
  troubled: {
    clusters: [troubled, hostile, { ...busy, cluster: "orders" }, ...others],
    machines: machines.map((m, i) =>
      i === 1
        ? { ...m, machine: { ...m.machine, state: "UNREACHABLE" } }
        : i % 11 === 5
          ? { ...m, machine: { ...m.machine, cordoned: true } }
          : m,
    ),
    unanswered: [],
  },
  deploying: { clusters: [deploying], machines, unanswered: [], who: "anna" },
  empty: { clusters: [], machines, unanswered: [], who: "anna" },
  silent: { clusters: [silent, ...others], machines: machines.slice(0, 24), unanswered: [silentDc], who: "anna" },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
