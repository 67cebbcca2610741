import type { Condition, Finding, NodeState, OperatingMode, Part, PlanStatus, StepStatus } from "./model";

/** The meaning of a state. Each has a colour in tokens.css. */
export type Tone = "good" | "change" | "warn" | "bad" | "idle";

/** The outline that goes with a tone, for readers who do not see the colour. */
export type Shape = "disc" | "half" | "triangle" | "cross" | "ring";

export interface State {
  tone: Tone;
  shape: Shape;
  word: string;
}

const SHAPES: Record<Tone, Shape> = { good: "disc", change: "half", warn: "triangle", bad: "cross", idle: "ring" };

const CONDITIONS: Record<Condition, Tone> = {
  HEALTHY: "good",
  FAILED: "bad",
  DEGRADED: "warn",
  CREATING: "change",
  CHANGING: "change",
  DELETING: "change",
};

const MODES: Record<OperatingMode, Tone> = {
  NORMAL: "good",
  DOWN: "bad",
  UNKNOWN: "bad",
  JOINING_FAILED: "bad",
  DECOMMISSION_FAILED: "bad",
  LAUNCHED: "change",
  STARTING: "change",
  JOINING: "change",
  LEAVING: "change",
  MOVING: "change",
  DRAINING: "change",
  DRAINED: "warn",
  DECOMMISSIONED: "warn",
};

const PLANS: Record<PlanStatus, Tone> = {
  RUNNING: "change",
  PAUSED: "warn",
  COMPLETE: "good",
  FAILED: "bad",
  ABORTED: "idle",
  SUPERSEDED: "idle",
};

const STEPS: Record<StepStatus, Tone> = {
  PENDING: "idle",
  RUNNING: "change",
  WAITING: "warn",
  FORCED: "warn",
  DONE: "good",
  FAILED: "bad",
};

export function condition(of: Condition): State {
  return state(CONDITIONS[of], of);
}

export function mode(of: OperatingMode): State {
  return state(MODES[of], of);
}

/** The mode that a node of a silent datacenter had in the last report: its server is silent, the node may serve. */
export function wasMode(node: NodeState): State | undefined {
  const was = node.mode === "UNKNOWN" ? /^was [A-Z_]+/.exec(node.activity)?.[0] : undefined;
  return was === undefined ? undefined : state("warn", was);
}

/** How many nodes nobody knows about, because their datacenters are silent. */
export function notKnown(parts: readonly Part[]): number {
  const known = (part: Part) => part.nodes.filter((n) => n.mode !== "UNKNOWN").length;
  return parts.reduce(
    (n, part) => n + (part.silence === undefined ? 0 : Math.max(0, part.nodesWanted - known(part))),
    0,
  );
}

export function planStatus(of: PlanStatus): State {
  return state(PLANS[of], word(of));
}

export function stepStatus(of: StepStatus): State {
  return state(STEPS[of], word(of));
}

/** A step that its plan left when it ended. */
export function ended(started: boolean): State {
  return state("idle", started ? "ended" : "not started");
}

export function severity(of: Finding["severity"]): State {
  return of === "ERROR" ? state("bad", "error") : state("warn", "warning");
}

/** A newer server may report a value that this page does not know: it is shown by its name. */
function state(tone: Tone | undefined, word: string): State {
  const known = tone ?? "idle";
  return { tone: known, shape: SHAPES[known], word };
}

function word(value: string): string {
  return value.toLowerCase().replaceAll("_", " ");
}
