import type { components } from "../api/schema";
import { href } from "../words/advice";
import { bytes, cores, percent } from "../words/formats";
import type { State } from "../words/states";
import { byText, type Orders } from "./sorting";

export type MachineState = components["schemas"]["MachineState"];
export type Resource = "cpu" | "memory" | "disk";
export const RESOURCES: readonly Resource[] = ["cpu", "memory", "disk"];

export interface Use {
  used: number;
  all: number;
}

/** The orders of the table's columns. */
export const ORDERS: Orders<MachineState> = {
  name: (a, b) => byText(id(a), id(b)),
  cpu: (a, b) => share(use(a, "cpu")) - share(use(b, "cpu")),
  memory: (a, b) => share(use(a, "memory")) - share(use(b, "memory")),
  disk: (a, b) => share(use(a, "disk")) - share(use(b, "disk")),
  nodes: (a, b) => a.allocations.length - b.allocations.length,
};

export interface DatacenterMachines {
  datacenter: string;
  machines: MachineState[];
  racks: { rack: string; machines: MachineState[] }[];
  lost: number;
  cordoned: number;
}

export function resource(text: string): Resource {
  return RESOURCES.find((r) => r === text) ?? "memory";
}

/** The machine's name in the fleet, as the command line takes it. */
export function id(machine: MachineState): string {
  return `${machine.datacenter}/${machine.machine.name}`;
}

export function use(machine: MachineState, of: Resource): Use {
  const { cpuMillis, memoryBytes, diskBytes } = machine.machine;
  switch (of) {
    case "cpu":
      return { used: cpuMillis - machine.freeCpuMillis, all: cpuMillis };
    case "memory":
      return { used: memoryBytes - machine.freeMemoryBytes, all: memoryBytes };
    case "disk":
      return { used: diskBytes - machine.freeDiskBytes, all: diskBytes };
  }
}

export function total(machines: readonly MachineState[], of: Resource): Use {
  return machines
    .map((m) => use(m, of))
    .reduce((sum, one) => ({ used: sum.used + one.used, all: sum.all + one.all }), { used: 0, all: 0 });
}

export function share(use: Use): number {
  return use.all === 0 ? 0 : Math.min(1, Math.max(0, use.used / use.all));
}

/** Ten steps: 0 is empty, 10 is full. Any use at all is at least step 1. */
export function level(use: Use): number {
  return Math.max(0, Math.ceil(share(use) * 10 - 1e-9));
}

/** The share in use; a machine that is not offered has none. */
export function used(machine: MachineState, of: Resource): string {
  return isOffered(machine) ? percent(share(use(machine, of))) : "-";
}

export function amount(value: number, of: Resource): string {
  return of === "cpu" ? `${cores(value)} cores` : bytes(value);
}

export function isLost(machine: MachineState): boolean {
  return machine.machine.state === "UNREACHABLE";
}

/** A machine that the pool does not offer any more has no capacity; only the nodes that were on it name it. */
export function isOffered(machine: MachineState): boolean {
  return machine.machine.cpuMillis > 0;
}

export function machineState(machine: MachineState): State {
  if (isLost(machine)) {
    return { tone: "bad", shape: "cross", word: "lost" };
  }
  return machine.machine.cordoned
    ? { tone: "warn", shape: "triangle", word: "cordoned" }
    : { tone: "good", shape: "disc", word: "ready" };
}

export function byDatacenter(all: readonly MachineState[]): DatacenterMachines[] {
  return groups(all, (m) => m.datacenter).map(([datacenter, machines]) => ({
    datacenter,
    machines,
    racks: groups(machines, (m) => m.machine.rack).map(([rack, machines]) => ({ rack, machines })),
    lost: machines.filter(isLost).length,
    cordoned: machines.filter((m) => m.machine.cordoned).length,
  }));
}

/** Whether the text occurs in the names of the machine and its rack, its state, or the names of its nodes. */
export function matches(machine: MachineState, text: string): boolean {
  const all = [
    id(machine),
    machine.machine.rack,
    machineState(machine).word,
    ...machine.allocations.map((a) => a.allocation.node),
  ]
    .join(" ")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The dialog that replaces a node. */
export function replacement(node: string): string {
  const [cluster = "", ...name] = node.split("/");
  return href({ kind: "operation", cluster, operation: "replace", params: { node: name.join("/") } });
}

/** The clusters that have nodes on the machine. */
export function clusters(machine: MachineState): string[] {
  return [...new Set(machine.allocations.map((a) => a.allocation.node.split("/")[0] ?? ""))].sort();
}

function groups<T>(all: readonly T[], key: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const group = found.get(key(one)) ?? [];
    found.set(key(one), group);
    group.push(one);
  }
  return [...found].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}
