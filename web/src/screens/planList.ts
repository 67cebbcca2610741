import type { Plan, PlanStatus, StepState, StepStatus } from "../words/model";
import { isOver } from "../words/plans";

const WORST_FIRST: PlanStatus[] = ["FAILED", "PAUSED", "RUNNING"];
const AT_WORK: StepStatus[] = ["FAILED", "WAITING", "RUNNING"];

/** Whether the plan has not ended: it holds its lock. */
export function isOpen(plan: Plan): boolean {
  return plan.status === "RUNNING" || plan.status === "PAUSED" || plan.status === "FAILED";
}

/** Failed and paused plans first, as they wait for a person; then running ones, then the others, the newest first. */
export function worstFirst(plans: readonly Plan[]): Plan[] {
  return [...plans].sort((a, b) => rank(a) - rank(b) || b.createdAt.localeCompare(a.createdAt));
}

export function progress(plan: Plan): { done: number; all: number } {
  const steps = plan.phases.flatMap((p) => p.steps);
  return { done: steps.filter(isOver).length, all: steps.length };
}

/** The steps that have started and not ended: failed, then waiting, then running. */
export function atWork(plan: Plan): StepState[] {
  const steps = plan.phases.flatMap((p) => p.steps);
  return AT_WORK.flatMap((status) => steps.filter((s) => s.status === status));
}

function rank(plan: Plan): number {
  const at = WORST_FIRST.indexOf(plan.status);
  return at < 0 ? WORST_FIRST.length : at;
}

/** The problem of a failed plan; or what the first of the current steps does or waits for. */
export function whatNow(plan: Plan): string {
  const [step, ...more] = isOpen(plan) ? atWork(plan) : [];
  if (step === undefined) {
    return plan.problem?.message ?? "";
  }
  const text = `${step.name}: ${step.problem?.message ?? step.reason ?? step.status.toLowerCase()}`;
  return more.length === 0 ? text : `${text}, and ${more.length} more`;
}

/** Whether the text occurs in the plan's name, its cluster, operation, status or user. */
export function matches(plan: Plan, text: string): boolean {
  const all = [plan.id, plan.cluster, plan.operation, plan.status, plan.requestedBy].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
