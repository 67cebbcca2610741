import { count } from "./formats";
import type { ClusterStatus, NodeState, OperatingMode, Plan, PlanImpact } from "./model";
import { datacenter } from "./plans";

/** What a person does to confirm: the more a plan breaks, the more. */
export interface Confirmation {
  by: "BUTTON" | "TICK" | "NAME";
  /** The words of the button. */
  button: string;
  /** Why a tick or the name is asked for. */
  because: string;
}

export function confirmation(
  operation: string,
  impact: PlanImpact | undefined,
  status: ClusterStatus | undefined,
): Confirmation {
  const verb = operation.charAt(0).toUpperCase() + operation.slice(1).replaceAll("-", " ");
  if (impact === undefined) {
    return { by: "NAME", button: verb, because: "The server does not say what this stops." };
  }
  const stops = impact.stops.length;
  const button = stops === 0 ? verb : `${verb}: ${stopping(impact)}`;
  const destroyed = impact.destroysVolumes.length;
  if (destroyed > 0) {
    const lost = `the data of ${count(destroyed, "node")} are destroyed`;
    return { by: "NAME", button: `${verb}: ${lost}`, because: `${lost.charAt(0).toUpperCase()}${lost.slice(1)}.` };
  }
  if (stopsAll(impact, status)) {
    return { by: "NAME", button, because: "No node of the cluster serves clients then." };
  }
  if (impact.cannotBeUndone.length > 0) {
    return { by: "TICK", button, because: "I know that this cannot be undone" };
  }
  return { by: "BUTTON", button, because: "" };
}

/** `6 nodes stop, one at a time`. */
export function stopping(impact: PlanImpact): string {
  const n = impact.stops.length;
  const stop = `${count(n, "node")} ${n === 1 ? "stops" : "stop"}`;
  return n < 2 ? stop : `${stop}, ${impact.mostAtOnce === 1 ? "one" : `up to ${impact.mostAtOnce}`} at a time`;
}

/** Whether no node of the cluster serves for a while. */
function stopsAll(impact: PlanImpact, status: ClusterStatus | undefined): boolean {
  if (status === undefined || status.nodes === 0) {
    return impact.stops.length > 0 && impact.mostAtOnce > 1;
  }
  return impact.mostAtOnce >= status.nodes;
}

const NOT_UP: readonly OperatingMode[] = ["UNKNOWN", "DOWN", "LAUNCHED", "STARTING", "JOINING_FAILED"];

/** The nodes that are not up, for which a plan that stops others may wait. Silent datacenters are said elsewhere. */
export function mayWaitFor(impact: PlanImpact | undefined, status: ClusterStatus): NodeState[] {
  const { stops = [], destroysVolumes = [] } = impact ?? {};
  return status.datacenters
    .filter((part) => part.silence === undefined)
    .flatMap((part) => part.nodes)
    .filter((n) => n.joined && NOT_UP.includes(n.mode) && !destroysVolumes.includes(n.node))
    .filter((n) => stops.some((stopped) => stopped !== n.node));
}

/** The nodes that plans touch. */
export function affected(impact: PlanImpact | undefined, plans: readonly Plan[]): Set<string> {
  const named = plans.flatMap((p) => p.phases.flatMap((phase) => phase.steps.flatMap((s) => s.args["node"] ?? [])));
  const stated = impact === undefined ? [] : [...impact.stops, ...impact.leaves, ...impact.destroysVolumes];
  return new Set([...named, ...stated]);
}

/** The lines of plans that are only in one of two dry runs. */
export function differences(before: readonly Plan[], after: readonly Plan[]): { gone: string[]; added: string[] } {
  const [old, now] = [lines(before), lines(after)];
  return { gone: old.filter((l) => !now.includes(l)), added: now.filter((l) => !old.includes(l)) };
}

function lines(plans: readonly Plan[]): string[] {
  return plans.flatMap((plan) => [
    ...plan.phases.flatMap((phase) => phase.steps.map((s) => `${datacenter(plan)}: ${phase.name}: ${s.name}`)),
    ...plan.notes.map((note) => `${datacenter(plan)}: note: ${note}`),
  ]);
}
