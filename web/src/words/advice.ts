import type { Advice } from "./model";

/** The program in command lines to copy: as the docs write it, typed in the project's folder. */
export const PROGRAM = "./ringmaster";

/** The part of the page that does what a command does. */
export type Target =
  | { kind: "operation"; cluster: string; operation: string; params: Record<string, string> }
  | { kind: "plan"; plan: string; verb?: PlanVerb; step?: string }
  | { kind: "cluster"; cluster: string }
  | { kind: "clusters" | "machines" | "plans" };

export type PlanVerb = "pause" | "resume" | "retry" | "abort" | "force-complete";

/** A piece of an advice: words, or a command with the part of the page that does the same. */
export type Piece = { text: string } | { command: string; target?: Target };

const PLAN_VERBS: readonly string[] = ["pause", "resume", "retry", "abort", "force-complete"] satisfies PlanVerb[];
const PLAN = /-[0-9]{1,12}$/;

/** Verbs of `cluster` and `node` that are no operations of the catalogue. */
const NO_OPERATIONS = ["list", "status", "show", "logs", "spec", "apply", "scale", "delete", "diff", "add", "plan"];

/** The sentence with a command in place of each `{}`. */
export function pieces(advice: Advice): Piece[] {
  const texts = advice.text.split("{}");
  return texts.flatMap((text, i): Piece[] => {
    const line = advice.commands[i - 1];
    const words: Piece[] = text === "" ? [] : [{ text }];
    return line === undefined ? words : [command(line), ...words];
  });
}

/** The sentence as a terminal shows it. */
export function wording(advice: Advice): string {
  return pieces(advice)
    .map((p) => ("text" in p ? p.text : `${PROGRAM} ${p.command}`))
    .join("");
}

/** What the page does in place of a command line; undefined for a command to copy. */
export function target(line: string): Target | undefined {
  const { words, options } = split(line);
  const [noun, verb, object] = words;
  switch (noun) {
    case "plan":
      return plan(verb, object, options);
    case "machine":
      return verb === "list" ? { kind: "machines" } : undefined;
    case "node":
      return verb === undefined || object === undefined ? undefined : node(verb, object, options);
    case "cluster":
      return verb === "list" ? { kind: "clusters" } : cluster(verb, object, options);
    case "repair":
      return verb === "start" ? cluster("repair", object, options) : undefined;
    case "operation":
      return verb === "status" && object !== undefined ? { kind: "cluster", cluster: object } : undefined;
    default:
      return undefined;
  }
}

/** The page's address of a target: `do` opens the dialog of an operation or a verb. */
export function href(target: Target): string {
  switch (target.kind) {
    case "operation":
      return `/clusters/${target.cluster}?${query({ do: target.operation, ...target.params })}`;
    case "plan":
      return (
        `/plans/${target.plan}` + (target.verb === undefined ? "" : `?${query({ do: target.verb, ...stepOf(target) })}`)
      );
    case "cluster":
      return `/clusters/${target.cluster}`;
    case "clusters":
      return "/";
    default:
      return `/${target.kind}`;
  }
}

function command(line: string): Piece {
  const to = target(line);
  return to === undefined ? { command: line } : { command: line, target: to };
}

function plan(verb: string | undefined, object: string | undefined, options: Map<string, string>): Target | undefined {
  if (verb === "list") {
    return { kind: "plans" };
  }
  if (object === undefined || !PLAN.test(object)) {
    return undefined; // the name of a cluster stands for several plans
  }
  const step = options.get("step");
  return {
    kind: "plan",
    plan: object,
    ...(isPlanVerb(verb) ? { verb } : {}),
    ...(step === undefined ? {} : { step }),
  };
}

function cluster(
  verb: string | undefined,
  object: string | undefined,
  options: Map<string, string>,
): Target | undefined {
  if (verb === undefined || object === undefined) {
    return undefined;
  }
  if (verb === "status") {
    return { kind: "cluster", cluster: object };
  }
  return NO_OPERATIONS.includes(verb)
    ? undefined
    : { kind: "operation", cluster: object, operation: verb, params: params(options) };
}

function node(verb: string, object: string, options: Map<string, string>): Target | undefined {
  const [name, datacenter, node] = object.split("/");
  if (name === undefined || NO_OPERATIONS.includes(verb)) {
    return verb === "list" && name !== undefined ? { kind: "cluster", cluster: name } : undefined;
  }
  return datacenter === undefined || node === undefined
    ? undefined
    : {
        kind: "operation",
        cluster: name,
        operation: verb,
        params: { ...params(options), node: `${datacenter}/${node}` },
      };
}

function params(options: Map<string, string>): Record<string, string> {
  return Object.fromEntries([...options].map(([name, value]) => [name.replaceAll("-", "_"), value]));
}

function isPlanVerb(verb: string | undefined): verb is PlanVerb {
  return verb !== undefined && PLAN_VERBS.includes(verb);
}

function stepOf(target: { step?: string }): Record<string, string> {
  return target.step === undefined ? {} : { step: target.step };
}

function query(values: Record<string, string>): string {
  return new URLSearchParams(values).toString();
}

/** Words and options of a command line; quotes keep a value with spaces together. */
function split(line: string): { words: string[]; options: Map<string, string> } {
  const all = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? "");
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let i = 0; i < all.length; i++) {
    const word = all[i] ?? "";
    if (word.startsWith("--")) {
      options.set(word.slice(2), all[++i] ?? "true");
    } else {
      words.push(word);
    }
  }
  return { words, options };
}
