import type { PlanVerb } from "./advice";
import type { Plan, PlanStatus } from "./model";

/** What can be done to a plan, in the words of docs/operations.md. */
interface Steering {
  verb: PlanVerb;
  button: string;
  effect: string;
}

const EFFECTS: Record<PlanVerb, Steering> = {
  pause: {
    verb: "pause",
    button: "Pause",
    effect: "Starts no new step. Running steps finish, except that a repair stops where it is.",
  },
  resume: { verb: "resume", button: "Resume", effect: "Continues after the pause." },
  retry: { verb: "retry", button: "Retry", effect: "Starts failed steps again." },
  "force-complete": {
    verb: "force-complete",
    button: "Force-complete",
    effect: "Declares the step done although it is not.",
  },
  abort: {
    verb: "abort",
    button: "Abort",
    effect: "Ends the plan where it is; what is done stays done. A task that runs on a node is ended too.",
  },
};

const VERBS: Record<PlanStatus, PlanVerb[]> = {
  RUNNING: ["pause", "force-complete", "abort"],
  PAUSED: ["resume", "force-complete", "abort"],
  FAILED: ["retry", "force-complete", "abort"],
  COMPLETE: [],
  ABORTED: [],
  SUPERSEDED: [],
};

/** The verbs that make sense for any of these plans. */
export function verbs(plans: readonly Plan[]): Steering[] {
  return (Object.keys(EFFECTS) as PlanVerb[])
    .filter((verb) => plans.some((p) => accepts(p, verb)))
    .map((verb) => EFFECTS[verb]);
}

export function accepts(plan: Plan, verb: PlanVerb): boolean {
  return (VERBS[plan.status] ?? []).includes(verb);
}

export function steering(verb: PlanVerb): Steering {
  return EFFECTS[verb];
}

/** The steps that a verb can name: those that are not over, and for a retry those that failed. */
export function stepsFor(plan: Plan, verb: PlanVerb): string[] {
  const steps = plan.phases.flatMap((phase) => phase.steps);
  switch (verb) {
    case "retry":
      return steps.filter((s) => s.status === "FAILED").map((s) => s.name);
    case "force-complete":
      return steps.filter((s) => s.status !== "DONE" && s.status !== "FORCED").map((s) => s.name);
    default:
      return [];
  }
}

/** A load beside a plan as rows: before, during and after, for each datacenter. */
export function loadRows(load: NonNullable<Plan["load"]>) {
  return load.parts.flatMap((part) =>
    (["before", "during", "after"] as const).map((when) => ({ datacenter: part.datacenter, when, period: part[when] })),
  );
}

/** What a verb is sent to: one plan or several, or one step. */
export interface SteerTarget {
  label: string;
  plans: string[];
  step: string;
}

/** What a verb can be sent to, the usual one first; force-complete has no usual one. */
export function targets(plans: readonly Plan[], verb: PlanVerb): SteerTarget[] {
  const able = plans.filter((p) => accepts(p, verb));
  const ids = able.map((p) => p.id);
  const whole = able.map((p): SteerTarget => ({ label: p.id, plans: [p.id], step: "" }));
  const all = able.length > 1 ? [{ label: `all of ${ids.join(", ")}`, plans: ids, step: "" }] : [];
  const steps = able.flatMap((p) =>
    stepsFor(p, verb).map((step): SteerTarget => ({ label: `${p.id}, step ${step}`, plans: [p.id], step })),
  );
  return verb === "force-complete" ? steps : [...all, ...whole, ...steps];
}
