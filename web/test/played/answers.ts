import type { components } from "../../src/api/schema";
import { plan } from "./make";
import { operations } from "./operations";
import type { Scene } from "./scenes";

type Schemas = components["schemas"];

/** The answer to a read; undefined where nothing exists. */
export function read(scene: Scene, path: string): unknown {
  const { unanswered } = scene;
  const [noun, name, part] = path.split("/").filter((p) => p !== "");
  const plans = scene.clusters.flatMap((c) => c.plans.map((p) => ({ ...p, cluster: c.cluster })));
  switch (noun) {
    case "datacenters":
      return { items: datacenters(scene), unanswered };
    case "operations":
      return operations;
    case "machines":
      return { items: scene.machines, unanswered };
    case "plans":
      return name === undefined ? { items: plans, unanswered } : plans.find((p) => p.id === name);
    case "clusters":
      return name === undefined
        ? { items: scene.clusters.map(summary), unanswered }
        : part === "ring"
          ? { items: ring(scene, name), unanswered }
          : scene.clusters.find((c) => c.cluster === name);
    case "events":
      return { items: [], since: new Date().toISOString() } satisfies Schemas["RecentEvents"];
    default:
      return undefined;
  }
}

/** Nodes with 16 tokens each. */
function ring(scene: Scene, cluster: string): Schemas["RingNode"][] {
  const nodes = scene.clusters.find((c) => c.cluster === cluster)?.datacenters.flatMap((d) => d.nodes) ?? [];
  const token = (i: number, t: number) => BigInt(t * nodes.length + i - nodes.length * 8) * 1_000_000_007n;
  return nodes.map((n, i) => ({
    ...{ node: n.node, rack: n.rack ?? "r1", mode: n.mode, joined: true, leaving: false },
    tokens: Array.from({ length: 16 }, (_, t) => token(i, t).toString()),
  }));
}

function datacenters(scene: Scene): Schemas["DatacenterInfo"][] {
  const answering = ["dc1", "dc2"].filter((dc) => !scene.unanswered.some((u) => u.datacenter === dc));
  return answering.map((datacenter) => ({
    datacenter,
    servers: [`http://127.0.0.1:808${datacenter === "dc1" ? 0 : 1}`],
    machines: scene.machines.filter((m) => m.datacenter === datacenter).length,
    peers: [],
  }));
}

export function operationAnswer(scene: Scene, path: string): Schemas["OperationAnswer"] {
  const [, cluster = "", , operation = ""] = path.split("/").filter((p) => p !== "");
  const nodes = scene.clusters.find((c) => c.cluster === cluster)?.datacenters.flatMap((d) => d.nodes) ?? [];
  const request = { id: "dc1-r9", cluster, operation, lockScope: "RING", params: {}, who: "anna", why: "" } as const;
  const impact = { mostAtOnce: 1, leaves: [], destroysVolumes: [], cannotBeUndone: [] };
  return {
    request: { ...request, at: new Date().toISOString() },
    dryRun: true,
    plans: [plan("dc1-10", cluster, { operation, createdAt: new Date().toISOString() })],
    unanswered: scene.unanswered,
    digest: "d1",
    impact: { ...impact, stops: nodes.map((n) => n.node) },
  };
}

function summary(status: Schemas["ClusterStatus"]): Schemas["ClusterSummary"] {
  const worst = status.findings[0];
  return {
    cluster: status.cluster,
    condition: status.condition,
    specVersion: status.specVersion,
    cassandraVersion: status.cassandraVersion,
    datacenters: status.datacenters.map((d) => d.datacenter),
    nodes: status.nodes,
    normal: status.normal,
    plans: status.plans.filter((p) => p.endedAt === undefined).map((p) => p.id),
    errors: status.findings.filter((f) => f.severity === "ERROR").length,
    warnings: status.findings.filter((f) => f.severity === "WARNING").length,
    ...(worst === undefined ? {} : { worst }),
  };
}
