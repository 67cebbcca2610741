import { percent } from "./formats";
import type { NodeState } from "./model";

/**
 * The effective ownership of nodes in a table: one figure for each replication factor of the datacenter's keyspaces. A
 * node holds the same share of all keyspaces with the same number of replicas.
 */

/** `OWNS RF 3`, or `OWNS RF 1/3` where keyspaces differ. */
export function ownsTitle(nodes: readonly NodeState[]): string {
  const all = sorted(nodes.flatMap(factors));
  return all.length === 0 ? "OWNS" : `OWNS RF ${all.join("/")}`;
}

/** `50.0 %`, or `16.7/50.0 %` in the order of the title. */
export function ownsCell(node: NodeState): string {
  const all = factors(node);
  return all.length === 0 ? "-" : `${all.map((f) => percent(share(node, f)).replace(" %", "")).join("/")} %`;
}

function share(node: NodeState, factor: number): number {
  const keyspace = Object.keys(node.effectiveOwnership ?? {}).find((name) => replicas(node, name) === factor);
  return keyspace === undefined ? 0 : (node.effectiveOwnership?.[keyspace] ?? 0);
}

function factors(node: NodeState): number[] {
  return sorted(Object.keys(node.effectiveOwnership ?? {}).map((name) => replicas(node, name))).filter((f) => f > 0);
}

/** The number of replicas of a keyspace in the node's datacenter, as the node reports it; 0 if it does not. */
function replicas(node: NodeState, keyspace: string): number {
  const datacenter = node.node.split("/")[1] ?? "";
  return node.keyspaces?.find((k) => k.name === keyspace)?.replicas[datacenter] ?? 0;
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
