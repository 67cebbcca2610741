import type { ClusterStatus, Param } from "./model";

/** How a parameter is entered. */
export type Field = "TICK" | "ONE" | "MANY" | "TEXT";

/** Longer lists are typed, with suggestions. */
const LISTED = 24;

/** The values that a parameter can have in this cluster; empty where they are not known. */
export function choices(param: Param, status: ClusterStatus | undefined): string[] {
  const parts = status?.datacenters ?? [];
  const nodes = parts.flatMap((part) => part.nodes.map((node) => ({ datacenter: part.datacenter, node })));
  switch (param.kind) {
    case "DATACENTER":
      return parts.map((p) => p.datacenter);
    case "RACK":
      return sorted(nodes.flatMap((n) => n.node.rack ?? []));
    case "NODE":
      return nodes.map((n) => n.node.node.slice(n.node.node.indexOf("/") + 1));
    case "MACHINE":
      return sorted(nodes.flatMap((n) => (n.node.machine === undefined ? [] : `${n.datacenter}/${n.node.machine}`)));
    case "KEYSPACE":
      return sorted(nodes.flatMap((n) => (n.node.keyspaces ?? []).map((k) => k.name)));
    case "CHOICE":
      return param.choices ?? [];
    default:
      return [];
  }
}

export function field(param: Param, choices: readonly string[]): Field {
  if (param.kind === "FLAG") {
    return "TICK";
  }
  if (choices.length === 0 || choices.length > LISTED) {
    return "TEXT";
  }
  return param.several === true ? "MANY" : "ONE";
}

/** A comma-separated value with one of its values put in or taken out, in the order of the choices. */
export function toggled(value: string, one: string, choices: readonly string[]): string {
  const now = values(value);
  return choices.filter((c) => (c === one ? !now.includes(c) : now.includes(c))).join(",");
}

export function values(value: string): string[] {
  return value.split(",").filter((v) => v !== "");
}

/** The values that are sent: those of this operation that are not empty. */
export function given(params: readonly Param[], entered: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(params.flatMap((p) => (entered[p.name] ? [[p.name, entered[p.name] ?? ""]] : [])));
}

/** The required parameters without a value. */
export function missing(params: readonly Param[], entered: Readonly<Record<string, string>>): Param[] {
  return params.filter((p) => p.required && !entered[p.name]);
}

function sorted(all: readonly string[]): string[] {
  return [...new Set(all)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
