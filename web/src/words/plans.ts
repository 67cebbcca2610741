import { instant, seconds } from "./formats";
import type { ClusterStatus, NodeState, Plan, StepState, StepStatus } from "./model";

/** A step with the plan that it belongs to; steps of several datacenters may have the same name. */
export interface PlannedStep {
  plan: Plan;
  step: StepState;
  /** The name among all the plans that are shown together. */
  name: string;
}

/** A phase of one name in all datacenters. */
export interface MergedPhase {
  name: string;
  steps: PlannedStep[];
}

const STAGES = ["OFFER", "LAUNCH", "BINARIES", "EXECUTOR", "DAEMON", "JOINED"] as const;
export type Stage = (typeof STAGES)[number];

/** Shorter stages would round to zero. */
const SHOWN_FROM_MS = 50;

/** The plans of the same request or, without one, of the same operation for the same version of the spec. */
export function siblings(plan: Plan, all: readonly Plan[]): Plan[] {
  const together = all.filter(
    (p) =>
      p.id !== plan.id &&
      p.cluster === plan.cluster &&
      datacenter(p) !== datacenter(plan) &&
      (plan.request !== undefined
        ? p.request === plan.request
        : p.request === undefined && p.specVersion === plan.specVersion && p.operation === plan.operation),
  );
  const newest = new Map<string, Plan>();
  for (const p of together) {
    const known = newest.get(datacenter(p));
    if (known === undefined || number(p) > number(known)) {
      newest.set(datacenter(p), p);
    }
  }
  return [plan, ...newest.values()].sort((a, b) => datacenter(a).localeCompare(datacenter(b)));
}

export function phases(plans: readonly Plan[]): MergedPhase[] {
  const byName = new Map<string, PlannedStep[]>();
  for (const plan of plans) {
    for (const phase of plan.phases) {
      const steps = byName.get(phase.name) ?? [];
      byName.set(phase.name, steps);
      steps.push(...phase.steps.map((step) => ({ plan, step, name: stepName(step, plan, plans.length > 1) })));
    }
  }
  return [...byName].map(([name, steps]) => ({ name, steps }));
}

export function phaseStatus(phase: MergedPhase): StepStatus {
  const has = (status: StepStatus) => phase.steps.some((s) => s.step.status === status);
  const over = phase.steps.filter((s) => isOver(s.step));
  if (has("FAILED")) {
    return "FAILED";
  }
  if (over.length === phase.steps.length) {
    return "DONE";
  }
  return has("RUNNING") || over.length > 0 ? "RUNNING" : has("WAITING") ? "WAITING" : "PENDING";
}

export function isOver(step: StepState): boolean {
  return step.status === "DONE" || step.status === "FORCED";
}

/** The running time of a step; undefined before it starts. */
export function stepElapsed(step: StepState, now: number): number | undefined {
  return step.startedAt === undefined
    ? undefined
    : (step.endedAt === undefined ? now : instant(step.endedAt)) - instant(step.startedAt);
}

/** The time from the first plan's creation to the last one's end, or to now. */
export function elapsed(plans: readonly Plan[], now: number): number {
  const start = Math.min(...plans.map((p) => instant(p.createdAt)));
  const end = Math.max(...plans.map((p) => (p.endedAt === undefined ? now : instant(p.endedAt))));
  return end - start;
}

/** The notes of the plans, each once; a note that does not hold in every datacenter names its datacenters. */
export function notes(plans: readonly Plan[]): { text: string; datacenters: string[] }[] {
  const texts = [...new Set(plans.flatMap((p) => p.notes))];
  return texts.map((text) => {
    const having = plans.filter((p) => p.notes.includes(text));
    return { text, datacenters: having.length === plans.length ? [] : having.map(datacenter) };
  });
}

/** The status that stands for all plans: the worst of those that are not complete. */
export function worstStatus(plans: readonly Plan[]): Plan["status"] {
  const weight = (p: Plan) => (p.status === "FAILED" ? 3 : p.status === "PAUSED" ? 2 : p.status === "COMPLETE" ? 0 : 1);
  return [...plans].sort((a, b) => weight(b) - weight(a))[0]?.status ?? "COMPLETE";
}

/** The id of the node that the step changes. */
export function nodeOf(step: StepState): string | undefined {
  return step.args["node"];
}

/** Whether the step started its node: a change that Cassandra takes live starts nothing. */
export function startsNode(step: StepState): boolean {
  return step.type === "deploy-node" && step.memory["live"] !== "true";
}

/** Whether a reason names the mode of the step's own node: the node is at work, although its step waits for it. */
export function isOwnWork(reason: string): boolean {
  return /^[A-Z_]+(: |$)/.test(reason);
}

/** The reason of a wait, without the mode of the node, which has its own column. */
export function reason(step: StepState, node?: NodeState): string {
  if (step.reason === undefined) {
    return "";
  }
  const mode = node === undefined ? " " : `${node.mode}: `;
  if (step.reason.startsWith(mode)) {
    return step.reason.slice(mode.length);
  }
  return (step.status === "WAITING" && !step.reason.startsWith("waits") ? "waits: " : "") + step.reason;
}

/** `offer .1 launch .2 binaries .1 executor .6 daemon 3.4 joined 3.5`. */
export function stages(node: NodeState): string {
  return STAGES.flatMap((stage) => {
    const took = node.stagesMs[stage];
    return took !== undefined && took >= SHOWN_FROM_MS ? [`${stage.toLowerCase()} ${seconds(took)}`] : [];
  }).join(" ");
}

/** The ends of the start-up stages that lie between two instants. */
export function stageEnds(node: NodeState, from: number, to: number): { stage: string; at: number }[] {
  return STAGES.flatMap((stage) => {
    const at = node.stagesAt?.[stage];
    return at !== undefined && instant(at) >= from && instant(at) <= to
      ? [{ stage: stage.toLowerCase(), at: instant(at) }]
      : [];
  });
}

export function nodesById(status: ClusterStatus | undefined): Map<string, NodeState> {
  return new Map((status?.datacenters ?? []).flatMap((part) => part.nodes.map((n) => [n.node, n] as const)));
}

/** `dc1` of `dc1-7`: names of datacenters may contain dashes. */
export function datacenter(plan: Plan): string {
  return plan.id.slice(0, plan.id.lastIndexOf("-"));
}

function number(plan: Plan): number {
  return Number(plan.id.slice(plan.id.lastIndexOf("-") + 1));
}

function stepName(step: StepState, plan: Plan, several: boolean): string {
  return several && nodeOf(step) === undefined ? `${datacenter(plan)} ${step.name}` : step.name;
}
