import type { components } from "../../src/api/schema";

const node = {
  name: "node",
  form: "DC/NODE[,DC/NODE]",
  required: false,
  help: "only these nodes",
  kind: "NODE",
  several: true,
} as const;
const machine = {
  name: "machine",
  form: "DC/MACHINE",
  required: true,
  help: "the machine to evacuate; it is cordoned",
  kind: "MACHINE",
  several: false,
} as const;

/** A part of the catalogue. */
export const operations = [
  { name: "deploy", summary: "brings the nodes of a spec up", params: [] },
  { name: "restart", summary: "drain and restart daemons, one node at a time", lockScope: "RING", params: [node] },
  { name: "repair", summary: "repair all ranges of the user keyspaces", lockScope: "REPAIR", params: [] },
  { name: "replace", summary: "replace a node whose machine or volume is lost", lockScope: "MEND", params: [node] },
  { name: "evacuate", summary: "move the nodes of a cluster off a machine", lockScope: "RING", params: [machine] },
  { name: "flush", summary: "write memtables to disk", lockScope: "NODES", params: [node] },
] satisfies components["schemas"]["OperationInfo"][];
