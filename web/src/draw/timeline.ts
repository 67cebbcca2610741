import { clock, duration, instant } from "../words/formats";
import { ended, mode, stepStatus, type State } from "../words/states";
import type { NodeState, Plan, PlanEvent, RecentEvents, StepState, StepStatus } from "../words/model";
import {
  isOver,
  isOwnWork,
  nodeOf,
  phases,
  phaseStatus,
  stageEnds,
  stages,
  startsNode,
  stepElapsed,
  type MergedPhase,
} from "../words/plans";

/** A part of a step's time. UNKNOWN: at work or waiting, before the events that are kept. */
export interface Segment {
  kind: "RUN" | "WAIT" | "FAILED" | "UNKNOWN";
  /** In percent of the axis. */
  x: number;
  width: number;
  from: number;
  to: number;
  text: string;
  /** It goes on. */
  open: boolean;
}

export interface Tick {
  x: number;
  label: string;
}

export interface StepRow {
  plan: Plan;
  step: StepState;
  name: string;
  node: NodeState | undefined;
  segments: Segment[];
  /** Ends of the stages of a start. */
  stages: Tick[];
  elapsed: number | undefined;
}

export interface PhaseRow {
  name: string;
  status: StepStatus;
  /** From its first start to its last end; undefined before it starts. */
  span: { x: number; width: number } | undefined;
  done: number;
  elapsed: number | undefined;
  rows: StepRow[];
}

export interface Timeline {
  from: number;
  to: number;
  /** Where now is; undefined when all plans are over. */
  now: number | undefined;
  ticks: Tick[];
  phases: PhaseRow[];
  /** Some waits are older than the events that are kept. */
  reasonsLost: boolean;
}

/** Steps of the gaps between the lines of the axis, in seconds. */
const GAPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 172_800, 604_800];
const DAY = 86_400;
const WEEK = 7 * DAY;
const MOST_TICKS = 8;

/** The space right of now, in percent, so that the line of now is seen. */
const AHEAD = 0.04;

/** The plans of one operation in all datacenters on one axis. */
export function timeline(
  plans: readonly Plan[],
  nodes: ReadonlyMap<string, NodeState>,
  recent: RecentEvents | undefined,
  now: number,
): Timeline {
  const over = plans.every((p) => p.endedAt !== undefined);
  const from = Math.min(...plans.map((p) => instant(p.createdAt)));
  const last = over ? Math.max(...plans.map((p) => instant(p.endedAt ?? now))) : Math.max(now, from);
  const to = last + Math.max(1000, (last - from) * (over ? 0.005 : AHEAD));
  const place = (at: number) => ((at - from) / (to - from)) * 100;
  const end = (plan: Plan) => (plan.endedAt === undefined ? Math.max(now, from) : instant(plan.endedAt));

  const row = (of: MergedPhase["steps"][number]): StepRow => {
    const id = nodeOf(of.step);
    const node = id === undefined ? undefined : nodes.get(id);
    const segments = segmentsOf(of.step, of.plan, recent, end(of.plan));
    const first = segments[0]?.from;
    const ends = node === undefined || first === undefined ? [] : stageEnds(node, first, segments.at(-1)?.to ?? now);
    return {
      ...of,
      node,
      segments: segments.map((s) => ({ ...s, x: place(s.from), width: place(s.to) - place(s.from) })),
      stages: ends.map((s) => ({ x: place(s.at), label: s.stage })),
      elapsed: stepElapsed(of.step, end(of.plan)),
    };
  };
  const drawn = phases(plans).map((phase) => phaseRow(phase, phase.steps.map(row), place));
  return {
    from,
    to,
    now: over ? undefined : place(now),
    ticks: axis(from, to, place),
    phases: drawn,
    reasonsLost: reasonsLost(plans, recent),
  };
}

/** The mode of the node says more than that its step waits for it. When the plan is over, nothing waits any more. */
export function stateOf(row: StepRow): State {
  const { status } = row.step;
  const started = status === "RUNNING" || status === "WAITING";
  if (row.plan.endedAt !== undefined && (started || status === "PENDING")) {
    return ended(started);
  }
  return started && row.node !== undefined && row.node.mode !== "NORMAL" ? mode(row.node.mode) : stepStatus(status);
}

/** The state of a phase; of one whose plans are over, whether it had started. */
export function phaseState(phase: PhaseRow): State {
  const cut = phase.rows.every((r) => r.plan.endedAt !== undefined);
  const open = phase.status === "RUNNING" || phase.status === "WAITING" || phase.status === "PENDING";
  return cut && open ? ended(phase.status !== "PENDING") : stepStatus(phase.status);
}

/** How a step that is over went, in a few words. */
export function outcome(row: StepRow): string {
  switch (row.step.status) {
    case "FORCED":
      return "marked as done by the user";
    case "DONE":
      return row.node !== undefined && startsNode(row.step) ? stages(row.node) : (row.step.reason ?? "");
    default:
      return "";
  }
}

function phaseRow(phase: MergedPhase, rows: StepRow[], place: (at: number) => number): PhaseRow {
  const all = rows.flatMap((r) => r.segments);
  const from = Math.min(...all.map((s) => s.from));
  const to = Math.max(...all.map((s) => s.to));
  return {
    name: phase.name,
    status: phaseStatus(phase),
    span: all.length === 0 ? undefined : { x: place(from), width: place(to) - place(from) },
    done: phase.steps.filter((s) => isOver(s.step)).length,
    elapsed: all.length === 0 ? undefined : to - from,
    rows,
  };
}

function reasonsLost(plans: readonly Plan[], recent: RecentEvents | undefined): boolean {
  const steps = plans.flatMap((plan) => plan.phases.flatMap((phase) => phase.steps));
  return (
    recent !== undefined && steps.some((s) => s.startedAt !== undefined && instant(s.startedAt) < instant(recent.since))
  );
}

type Part = Omit<Segment, "x" | "width">;

/** The history of a step: from its events as far as they are kept, else from its own times. */
function segmentsOf(step: StepState, plan: Plan, recent: RecentEvents | undefined, now: number): Part[] {
  const failed = step.status === "FAILED"; // it stays open until somebody decides
  const end = step.endedAt === undefined || failed ? now : instant(step.endedAt);
  const start = step.startedAt === undefined ? undefined : instant(step.startedAt);
  const changes = (recent?.items ?? [])
    .filter((e) => e.type === "PLAN" && e.subject === plan.id && e.step === step.name)
    .map((e) => ({ at: instant(e.at), text: reasonIn(e, step), status: e.status }))
    .map((e) => ({ kind: kindOf(e.status, e.text), at: e.at, text: e.text }))
    .filter((e) => e.at <= end);
  const own = ownPart(step, start, end);
  const first = changes[0];
  if (first === undefined || (start !== undefined && start < first.at - 1000)) {
    changes.unshift(...before(step, start, first?.at, recent));
  }
  const parts = changes.flatMap((change, i): Part[] => {
    const to = Math.min(changes[i + 1]?.at ?? end, own?.from ?? end);
    return change.kind === undefined || to <= change.at
      ? []
      : [{ kind: change.kind, from: change.at, to, text: change.text, open: false }];
  });
  return joined(own === undefined ? parts : [...parts, own]);
}

/** What the step is at now, or how it failed: its own fields are newer than any event. */
function ownPart(step: StepState, start: number | undefined, end: number): Part | undefined {
  const from = step.since === undefined ? start : instant(step.since);
  if (from === undefined) {
    return undefined;
  }
  switch (step.status) {
    case "RUNNING":
    case "WAITING":
      return {
        kind: kindOf(step.status, step.reason ?? "") ?? "RUN",
        from: Math.min(from, end),
        to: end,
        text: step.reason ?? "",
        open: true,
      };
    case "FAILED": {
      const failed = step.endedAt === undefined ? from : instant(step.endedAt);
      return { kind: "FAILED", from: Math.min(failed, end), to: end, text: step.problem?.message ?? "", open: true };
    }
    default:
      return undefined;
  }
}

/** The time from the start to the first event: known to be work only when nothing was lost. */
function before(step: StepState, start: number | undefined, first: number | undefined, recent?: RecentEvents) {
  if (start === undefined || start === first) {
    return [];
  }
  const kept = recent !== undefined && instant(recent.since) <= start;
  const known = kept || isOver(step) || step.status === "FAILED" || recent === undefined;
  return [{ kind: known ? ("RUN" as const) : ("UNKNOWN" as const), at: start, text: step.reason ?? "" }];
}

function kindOf(status: string | undefined, reason: string): Segment["kind"] | undefined {
  switch (status) {
    case "RUNNING":
      return "RUN";
    case "WAITING":
      return isOwnWork(reason) ? "RUN" : "WAIT";
    case "FAILED":
      return "FAILED";
    default:
      return undefined;
  }
}

/** The text of an event names its step, which has its row already. */
function reasonIn(event: PlanEvent, step: StepState): string {
  const at = event.text.indexOf(step.name);
  const text = at < 0 ? event.text : event.text.slice(at + step.name.length);
  return text.replace(/^[\s:]*/, "").replace(/^(is )?(RUNNING|WAITING|FAILED)[\s:,]*/i, "");
}

/** Neighbours of the same kind and reason as one. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last !== undefined && last.kind === part.kind && (last.text === part.text || part.kind === "RUN")) {
      result[result.length - 1] = { ...part, from: last.from };
    } else {
      result.push(part);
    }
  }
  return result;
}

function axis(from: number, to: number, place: (at: number) => number): Tick[] {
  const length = (to - from) / 1000;
  const gap = GAPS.find((g) => length / g <= MOST_TICKS) ?? WEEK * Math.ceil(length / WEEK / MOST_TICKS);
  const ticks: Tick[] = [];
  for (let s = 0; s < length; s += gap) {
    ticks.push({ x: place(from + s * 1000), label: s < DAY ? clock(s * 1000) : duration(s * 1000) });
  }
  return ticks;
}
