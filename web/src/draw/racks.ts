import { bytes, count, duration, instant } from "../words/formats";
import type { ClusterStatus, NodeState, Part, Plan } from "../words/model";
import { nodeOf } from "../words/plans";
import { mode, wasMode, type State } from "../words/states";

/** More nodes than this are drawn as small cells. */
const TILES_UP_TO = 200;

const TILE = { width: 76, height: 44, gap: 6 };
const CELL = { width: 12, height: 12, gap: 3 };
const RACK_LINE = 20;
const RACK_GAP = 10;

export interface Tile {
  node: NodeState;
  /** `node-0` */
  name: string;
  state: State;
  x: number;
  y: number;
  /** From 0 to 1 of the largest load in the cluster. */
  load: number;
  atWork: boolean;
  lit: boolean;
  /** All that is known of the node, in a few words each. */
  facts: string[];
}

export interface RackRow {
  rack: string;
  summary: string;
  y: number;
  tiles: Tile[];
}

export interface RackColumn {
  datacenter: string;
  summary: string;
  /** Why the datacenter does not answer, and the instant of its last report. */
  silence: { reason: string; lastHeard: string | undefined } | undefined;
  rows: RackRow[];
  tiles: Tile[];
  width: number;
  height: number;
}

export interface RackView {
  dense: boolean;
  tile: { width: number; height: number };
  columns: RackColumn[];
}

/** A column for each datacenter, in it a row for each rack, which wraps at the given width. */
export function racks(status: ClusterStatus, width: number, lit: ReadonlySet<string> = new Set()): RackView {
  const nodes = status.datacenters.reduce((n, part) => n + part.nodes.length, 0);
  const dense = nodes > TILES_UP_TO;
  const size = dense ? CELL : TILE;
  const mostLoad = Math.max(1, ...status.datacenters.flatMap((p) => p.nodes.map((n) => n.loadBytes ?? 0)));
  const atWork = nodesAtWork(status.plans);
  const inRow = Math.max(1, Math.floor((width + size.gap) / (size.width + size.gap)));
  const now = instant(status.at);

  const column = (part: Part): RackColumn => {
    let y = 0;
    const rows = [...byRack(part.nodes)].map(([rack, members]): RackRow => {
      const top = y + RACK_LINE;
      const tiles = members.map((node, i) => ({
        node,
        name: node.node.slice(node.node.lastIndexOf("/") + 1),
        state: (part.silence !== undefined && wasMode(node)) || mode(node.mode),
        x: (i % inRow) * (size.width + size.gap),
        y: top + Math.floor(i / inRow) * (size.height + size.gap),
        load: (node.loadBytes ?? 0) / mostLoad,
        atWork: atWork.has(node.node),
        lit: lit.has(node.node),
        facts: facts(node, now),
      }));
      const row = { rack, summary: normal(tiles.map((t) => t.state.word)), y, tiles };
      y = top + Math.ceil(members.length / inRow) * (size.height + size.gap) - size.gap + RACK_GAP;
      return row;
    });
    return {
      datacenter: part.datacenter,
      summary:
        part.nodesWanted === 0
          ? `leaves the cluster, ${count(part.nodes.length, "node")} left`
          : `${part.nodes.filter((n) => n.mode === "NORMAL").length} of ${count(part.nodesWanted, "node")} NORMAL`,
      silence: part.silence === undefined ? undefined : { reason: part.silence, lastHeard: part.lastHeard },
      rows,
      tiles: rows.flatMap((row) => row.tiles),
      width: inRow * (size.width + size.gap) - size.gap,
      height: Math.max(0, y - RACK_GAP),
    };
  };
  return { dense, tile: size, columns: status.datacenters.map(column) };
}

/** The tile that an arrow key leads to: the nearest in that direction. */
export function neighbour(tiles: readonly Tile[], from: Tile, key: string): Tile {
  if (key === "Home" || key === "End") {
    return (key === "Home" ? tiles[0] : tiles.at(-1)) ?? from;
  }
  const index = tiles.indexOf(from);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    return tiles[index + (key === "ArrowLeft" ? -1 : 1)] ?? from;
  }
  const down = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const beyond = tiles.filter((t) => (t.y - from.y) * down > 0);
  const distance = (t: Tile) => Math.abs(t.y - from.y) * 1_000 + Math.abs(t.x - from.x);
  return beyond.sort((a, b) => distance(a) - distance(b))[0] ?? from;
}

function nodesAtWork(plans: readonly Plan[]): Set<string> {
  const steps = plans.flatMap((plan) => plan.phases.flatMap((phase) => phase.steps));
  return new Set(steps.flatMap((step) => (step.status === "RUNNING" ? (nodeOf(step) ?? []) : [])));
}

function byRack(nodes: readonly NodeState[]): Map<string, NodeState[]> {
  const racks = new Map<string, NodeState[]>();
  const names = [...new Set(nodes.map((n) => n.rack ?? ""))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  names.forEach((name) =>
    racks.set(
      name,
      nodes.filter((n) => (n.rack ?? "") === name),
    ),
  );
  return racks;
}

/** `67 NORMAL`, or `64 NORMAL, 2 DOWN, 1 JOINING`. */
function normal(words: readonly string[]): string {
  const modes = new Map<string, number>();
  words.forEach((word) => modes.set(word, (modes.get(word) ?? 0) + 1));
  return [...modes]
    .sort(([a, n], [b, m]) => Number(b === "NORMAL") - Number(a === "NORMAL") || m - n)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ");
}

function facts(node: NodeState, now: number): string[] {
  const since = node.since === undefined ? "" : ` for ${duration(now - instant(node.since))}`;
  const words = [`${node.mode}${since}`];
  const add = (known: unknown, text: string) => {
    if (known !== undefined && known !== 0 && known !== "" && known !== false) {
      words.push(text);
    }
  };
  add(node.mode !== "NORMAL" && node.activity, node.activity);
  add(node.machine, `on ${node.machine}`);
  add(node.loadBytes, `load ${bytes(node.loadBytes ?? 0)}`);
  add(node.seed, "seed");
  add(node.pendingHintsBytes, `hints ${bytes(node.pendingHintsBytes ?? 0)}`);
  add(node.exits, `died ${count(node.exits ?? 0, "time")}`);
  add(node.silence, node.silence ?? "");
  add(node.problem, node.problem?.message ?? "");
  return words;
}
