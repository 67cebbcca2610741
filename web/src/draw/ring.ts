import type { ClusterStatus, RingNode } from "../words/model";

/** A range of tokens: after `from`, up to and with `to`, as parts of the whole ring from 0 to 1; it may wrap. */
export interface Range {
  from: number;
  to: number;
  /** The last token of the range, exact. */
  token: bigint;
  node: RingNode;
}

/** The tokens of one datacenter. */
export interface Band {
  datacenter: string;
  ranges: Range[];
  /** Outer and inner radius. */
  outer: number;
  inner: number;
}

/** A shape in the drawing: all ranges of a rack, or what is about to change. */
export interface Shape {
  rack: string;
  path: string;
}

export interface Label {
  x: number;
  y: number;
  rack: string;
}

/** The drawing is a square of this size around 0, 0. */
export const SIZE = 400;

const OUTER = 190;
const THICKEST = 34;
const GAP = 8;
const INNERMOST = 62;
/** More ranges in a band are summed up in sectors, each divided by the racks' shares. */
const RANGES_UP_TO = 192;
const SECTORS = 120;
/** Narrower ranges have no room for a letter, in radians. */
const LETTER_FROM = 0.13;

const MOST_NEGATIVE = -(2n ** 63n);
const WHOLE = 2 ** 64;

/** Whether a text is a token of Murmur3Partitioner. */
export function isToken(text: string): boolean {
  return /^-?[0-9]{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Where a token is drawn, from 0 to 1; tokens close to each other share a place. */
export function position(token: string): number {
  return Number(BigInt(token) - MOST_NEGATIVE) / WHOLE;
}

export function datacenterOf(node: RingNode): string {
  return node.node.split("/")[1] ?? "";
}

/** A band for each datacenter, the first one outside. */
export function bands(nodes: readonly RingNode[]): Band[] {
  const datacenters = [...new Set(nodes.map(datacenterOf))].sort();
  const room = (OUTER - INNERMOST) / Math.max(1, datacenters.length);
  const thick = Math.min(THICKEST, room - GAP);
  return datacenters.map((datacenter, i) => {
    const outer = OUTER - i * (thick + GAP);
    return {
      datacenter,
      ranges: ranges(nodes.filter((n) => datacenterOf(n) === datacenter)),
      outer,
      inner: outer - thick,
    };
  });
}

/** The ranges of nodes, in the order of the ring. */
export function ranges(nodes: readonly RingNode[]): Range[] {
  const ends = nodes.flatMap((node) => node.tokens.map((t) => ({ to: position(t), token: BigInt(t), node })));
  ends.sort((a, b) => (a.token < b.token ? -1 : 1));
  return ends.map((end, i) => ({ ...end, from: ends[i - 1]?.to ?? ends.at(-1)?.to ?? 0 }));
}

/** The racks of a band as shapes: range by range, or in sectors where the ranges are too many to see. */
export function rackShapes(band: Band): Shape[] {
  const racks = rackNames(band.ranges.map((r) => r.node));
  if (band.ranges.length <= RANGES_UP_TO) {
    return racks.map((rack) => ({
      rack,
      path: band.ranges.map((r) => (r.node.rack === rack ? arc(band.inner, band.outer, r.from, r.to) : "")).join(""),
    }));
  }
  const shares = sectors(band.ranges, racks);
  return racks.map((rack, i) => ({ rack, path: stacked(band, shares, i) }));
}

/** The ranges of some nodes, such as those that join or leave, or the replicas of a token. */
export function nodeShape(band: Band, of: (node: RingNode) => boolean): string {
  return band.ranges.map((r) => (of(r.node) ? arc(band.inner, band.outer, r.from, r.to) : "")).join("");
}

/** A letter in each range that has room for it. */
export function labels(band: Band): Label[] {
  if (band.ranges.length > RANGES_UP_TO) {
    return [];
  }
  return band.ranges.flatMap((r) => {
    const length = wrapped(r.to - r.from);
    const middle = (r.from + length / 2) * 2 * Math.PI;
    const radius = (band.inner + band.outer) / 2;
    return length * 2 * Math.PI < LETTER_FROM
      ? []
      : [{ x: round(radius * Math.sin(middle)), y: round(-radius * Math.cos(middle)), rack: r.node.rack }];
  });
}

export function isPending(node: RingNode): boolean {
  return !node.joined || node.leaving;
}

export function rackNames(nodes: readonly RingNode[]): string[] {
  return [...new Set(nodes.map((n) => n.rack))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/**
 * The replicas of a token in one datacenter, as NetworkTopologyStrategy places them: clockwise from the token, a rack
 * again only when there are fewer racks than replicas.
 */
export function replicas(token: string, nodes: readonly RingNode[], factor: number): RingNode[] {
  const members = nodes.filter((n) => n.joined);
  const ring = ranges(members);
  const at = BigInt(token);
  const first = Math.max(
    0,
    ring.findIndex((r) => r.token >= at),
  );
  const racks = new Set<string>();
  const found = new Set<RingNode>();
  const wanted = Math.min(factor, members.length);
  let repeats = factor - rackNames(members).length;
  for (let i = 0; i < ring.length && found.size < wanted; i++) {
    const node = ring[(first + i) % ring.length]?.node;
    if (node === undefined || found.has(node)) {
      continue;
    }
    if (!racks.has(node.rack)) {
      racks.add(node.rack);
      found.add(node);
    } else if (repeats > 0) {
      repeats--;
      found.add(node);
    }
  }
  return [...found];
}

/** The number of replicas of a keyspace in each datacenter, as the nodes report it. */
export function factors(status: ClusterStatus | undefined, keyspace: string): Map<string, number> {
  const nodes = (status?.datacenters ?? []).flatMap((part) => part.nodes);
  const seen = nodes.flatMap((n) => (n.keyspaces ?? []).filter((k) => k.name === keyspace))[0];
  return new Map(Object.entries(seen?.replicas ?? {}));
}

/** How evenly a keyspace lies in a datacenter. */
export interface Evenness {
  least: number;
  most: number;
  /** Most to least; undefined when a node has nothing. */
  ratio: number | undefined;
}

export function evenness(shares: readonly number[]): Evenness | undefined {
  if (shares.length === 0) {
    return undefined;
  }
  const least = Math.min(...shares);
  const most = Math.max(...shares);
  return { least, most, ratio: least > 0 ? most / least : undefined };
}

/** A piece of a ring, clockwise from the top; a range from a token to itself is the whole ring. */
function arc(inner: number, outer: number, from: number, to: number): string {
  const length = wrapped(to - from);
  if (length > 0.9999) {
    return arc(inner, outer, 0, 0.5) + arc(inner, outer, 0.5, 0.9999);
  }
  const [a, b] = [from * 2 * Math.PI, (from + length) * 2 * Math.PI];
  const large = length > 0.5 ? 1 : 0;
  return (
    `M${point(outer, a)}A${outer} ${outer} 0 ${large} 1 ${point(outer, b)}` +
    `L${point(inner, b)}A${inner} ${inner} 0 ${large} 0 ${point(inner, a)}z`
  );
}

/** For each sector the shares of the racks in it, which add up to 1. */
function sectors(all: readonly Range[], racks: readonly string[]): number[][] {
  const sums = Array.from({ length: SECTORS }, () => racks.map(() => 0));
  const add = (from: number, to: number, rack: number) => {
    for (let s = Math.floor(from * SECTORS); s < SECTORS && s / SECTORS < to; s++) {
      const part = Math.min(to, (s + 1) / SECTORS) - Math.max(from, s / SECTORS);
      const sum = sums[s];
      if (sum !== undefined) {
        sum[rack] = (sum[rack] ?? 0) + part * SECTORS;
      }
    }
  };
  for (const r of all) {
    const rack = racks.indexOf(r.node.rack);
    if (r.from < r.to) {
      add(r.from, r.to, rack);
    } else {
      add(r.from, 1, rack);
      add(0, r.to, rack);
    }
  }
  return sums;
}

function stacked(band: Band, shares: readonly number[][], rack: number): string {
  return shares
    .map((sector, s) => {
      const below = sector.slice(0, rack).reduce((sum, share) => sum + share, 0);
      const inner = band.inner + (band.outer - band.inner) * below;
      const outer = inner + (band.outer - band.inner) * (sector[rack] ?? 0);
      return outer - inner < 0.05 ? "" : arc(round(inner), round(outer), s / SECTORS, (s + 1) / SECTORS);
    })
    .join("");
}

function wrapped(length: number): number {
  return length <= 0 ? length + 1 : length;
}

function point(radius: number, angle: number): string {
  return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
