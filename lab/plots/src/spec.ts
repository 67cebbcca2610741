/** What a plot shows. Read by `readSpec`, which refuses everything that it does not know. */
export interface Plot {
  /** The name of the file, without `.svg`. */
  name: string;
  title: string;
  subtitle: string;
  x: Axis;
  y: Axis;
  series: Series[];
  bands: Band[];
  levels: Level[];
}

export interface Axis {
  name: string;
  unit: string;
  scale: AxisScale;
  /** One for each category; empty on the other scales. */
  labels: string[];
  min: number | undefined;
  max: number | undefined;
}

export const SCALES = ["linear", "log", "nines", "category"] as const;
export type AxisScale = (typeof SCALES)[number];

export const KINDS = ["line", "points", "bar", "range", "span"] as const;
export type Kind = (typeof KINDS)[number];

export type Series = PointSeries | IntervalSeries;

/** Rows of x and y; a null y breaks a line. */
export interface PointSeries {
  name: string;
  kind: "line" | "points" | "bar";
  dashed: boolean;
  data: [number, number | null][];
}

/** Rows of x, low, high (range), or of category, from, to (span). */
export interface IntervalSeries {
  name: string;
  kind: "range" | "span";
  data: [number, number, number][];
}

export interface Band {
  axis: "x" | "y";
  from: number;
  to: number;
  label: string;
}

export interface Level {
  axis: "x" | "y";
  at: number;
  label: string;
}
