import type { components } from "../api/schema";
import type { Condition } from "../words/model";
import { byText, type Orders } from "./sorting";

export type ClusterSummary = components["schemas"]["ClusterSummary"];

const WORST_FIRST: Condition[] = ["FAILED", "DEGRADED", "CREATING", "CHANGING", "DELETING", "HEALTHY"];

/** The worst first, then by name: what needs a person is at the top. */
export function worstFirst(clusters: readonly ClusterSummary[]): ClusterSummary[] {
  return [...clusters].sort((a, b) => rank(a) - rank(b) || a.cluster.localeCompare(b.cluster));
}

/** The orders of the table's columns. */
export const ORDERS: Orders<ClusterSummary> = {
  name: (a, b) => byText(a.cluster, b.cluster),
  missing: (a, b) => a.nodes - a.normal - (b.nodes - b.normal),
  version: (a, b) => byText(a.cassandraVersion, b.cassandraVersion),
};

/** `997 of 1,000 clusters are well, 2 change, 1 waits for you`. */
export function sentence(clusters: readonly ClusterSummary[]): string {
  const groups = { well: 0, degraded: 0, change: 0, wait: 0 };
  clusters.forEach((c) => groups[group(c)]++);
  const all = clusters.length;
  const noun = all === 1 ? "cluster" : "clusters";
  const well =
    groups.well === all && all > 1
      ? `All ${number(all)} clusters are well`
      : `${number(groups.well)} of ${number(all)} ${noun} ${be(all === 1 ? 1 : groups.well)} well`;
  const others = [
    groups.change > 0 ? `${number(groups.change)} ${groups.change === 1 ? "changes" : "change"}` : "",
    groups.degraded > 0 ? `${number(groups.degraded)} ${be(groups.degraded)} degraded` : "",
    groups.wait > 0 ? `${number(groups.wait)} ${groups.wait === 1 ? "waits" : "wait"} for you` : "",
  ];
  return [well, ...others.filter((o) => o !== "")].join(", ");
}

/** Whether the text occurs in the name, the state, the version, a datacenter or the worst finding and its subject. */
export function matches(cluster: ClusterSummary, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const all = [
    cluster.cluster,
    cluster.condition,
    cluster.cassandraVersion,
    ...cluster.datacenters,
    cluster.worst?.subject ?? "",
    cluster.worst?.message ?? "",
  ]
    .join(" ")
    .toLowerCase();
  return words.every((word) => all.includes(word));
}

function group(cluster: ClusterSummary): "well" | "degraded" | "change" | "wait" {
  if (cluster.condition === "FAILED" || (cluster.errors ?? 0) > 0) {
    return "wait";
  }
  return cluster.condition === "HEALTHY" ? "well" : cluster.condition === "DEGRADED" ? "degraded" : "change";
}

function rank(cluster: ClusterSummary): number {
  const condition = WORST_FIRST.indexOf(cluster.condition);
  const finding = (cluster.errors ?? 0) > 0 ? 0 : (cluster.warnings ?? 0) > 0 ? 1 : 2;
  return (group(cluster) === "wait" ? 0 : 100) + condition * 3 + finding;
}

function be(n: number): string {
  return n === 1 ? "is" : "are";
}

function number(n: number): string {
  return n.toLocaleString("en");
}
