import { PROGRAM, type PlanVerb } from "./advice";
import type { OperationInfo } from "./model";

/** In the catalogue, but with a command and a path of its own. */
export const DELETE = "delete";

/** A request for an operation as the dialog has it. */
export interface Ask {
  cluster: string;
  operation: string;
  params: Record<string, string>;
  why: string;
  allowSilentPeers: boolean;
}

/** The command line that does the same; the command line shows the plan and asks, as the dialog does. */
export function commandLine(ask: Ask): string {
  if (ask.operation === DELETE) {
    const destroy = ask.params["destroy_data"] === "true" ? " --destroy-data" : "";
    return `${PROGRAM} cluster delete ${ask.cluster}${destroy}${ask.allowSilentPeers ? " --allow-silent-peers" : ""}`;
  }
  const options = Object.entries(ask.params)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `--${name.replaceAll("_", "-")} ${quoted(value)}`);
  return [
    `${PROGRAM} cluster ${ask.operation} ${ask.cluster}`,
    ...options,
    ...(ask.why === "" ? [] : [`--why ${quoted(ask.why)}`]),
    ...(ask.allowSilentPeers ? ["--allow-silent-peers"] : []),
  ].join(" ");
}

const AUTHORIZED = `  -H "Authorization: Bearer $(cat TOKEN_FILE)"`;

function deleteQuery(ask: Ask): Record<string, string> {
  return ask.params["destroy_data"] === "true" ? { destroyData: "true" } : {};
}

/** The same request over HTTP. The token is read from its file, and is in no command line. */
export function curl(ask: Ask, origin: string): string {
  if (ask.operation === DELETE) {
    const query = { ...deleteQuery(ask), ...(ask.allowSilentPeers ? { allowSilentPeers: "true" } : {}) };
    const text = new URLSearchParams(query).toString();
    const url = `${origin}/api/v1/clusters/${ask.cluster}${text === "" ? "" : `?${text}`}`;
    return [`curl -X DELETE ${quoted(url)}`, AUTHORIZED].join(" \\\n");
  }
  const params = Object.fromEntries(Object.entries(ask.params).filter(([, value]) => value !== ""));
  const body = JSON.stringify({ params, ...(ask.why === "" ? {} : { why: ask.why }) });
  const silent = ask.allowSilentPeers ? "?allowSilentPeers=true" : "";
  const url = `${origin}/api/v1/clusters/${ask.cluster}/operations/${ask.operation}${silent}`;
  return [
    `curl -X POST ${quoted(url)}`,
    AUTHORIZED,
    `  -H 'Content-Type: application/json'`,
    `  -d ${single(body)}`,
  ].join(" \\\n");
}

export function planCommand(plan: string, verb: PlanVerb, step: string): string {
  return `${PROGRAM} plan ${verb} ${plan}${step === "" ? "" : ` --step ${quoted(step)}`}`;
}

/** The operations of the dialog, to delete last; the others follow from applying a spec. */
export function requestable(operations: readonly OperationInfo[]): OperationInfo[] {
  const last = operations.filter((o) => o.name === DELETE);
  return [...operations.filter((o) => o.lockScope !== undefined && o.name !== DELETE), ...last];
}

/** A value as one word of a shell; double quotes as in the docs where they are enough. */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(value)) {
    return value;
  }
  return /["$`\\!]/.test(value) ? single(value) : `"${value}"`;
}

function single(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
