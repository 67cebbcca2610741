interface Unshown {
  name: string;
  title: string;
  series: { name: string; kind: string; dashed?: boolean; data: (number | null)[][] }[];
  [field: string]: unknown;
}

interface Sample extends Unshown {
  /** Texts of the picture beside the title and the names. No field of the spec, so it is not enumerable. */
  shown: string[];
}

const SECONDS = { name: "time", unit: "s", scale: "linear" };
const MS = { name: "response time", unit: "ms", scale: "log" };

function sample(shown: string[], plot: Unshown): Sample {
  return Object.defineProperty({ ...plot, shown }, "shown", { enumerable: false });
}

/** One plot of each kind. */
export const SAMPLES = {
  line: sample(["0", "60", "1", "1,000", "time (s)", "response time (ms)", "stalled", "goal 23 ms"], {
    name: "line",
    title: "A line with a gap",
    subtitle: "and a subtitle",
    x: { ...SECONDS, min: 0, max: 60 },
    y: MS,
    series: [
      {
        name: "a",
        kind: "line",
        data: [
          [0, 1],
          [10, 700],
          [20, null],
          [30, 4],
          [60, 1000],
        ],
      },
      {
        name: "b",
        kind: "line",
        dashed: true,
        data: [
          [0, 2],
          [60, 3],
        ],
      },
    ],
    bands: [
      { axis: "x", from: 10, to: 11.4, label: "stalled" },
      { axis: "x", from: 50, to: 51, label: "stalled" },
    ],
    levels: [{ axis: "y", at: 23, label: "goal 23 ms" }],
  }),
  nines: sample(["50 %", "90 %", "99 %", "99.9 %", "99.99 %"], {
    name: "nines",
    title: "Percentiles",
    x: { name: "percentile", scale: "nines" },
    y: MS,
    series: [
      {
        name: "a",
        kind: "line",
        data: [
          [0, 0.5],
          [0.5, 0.6],
          [0.99, 3],
          [0.99995, 1300],
        ],
      },
    ],
  }),
  points: sample(["0", "6,000"], {
    name: "points",
    title: "Points with their ranges",
    x: { name: "nodes", scale: "linear" },
    y: { name: "writes", unit: "writes/s", scale: "linear" },
    series: [
      {
        name: "RF 3",
        kind: "points",
        data: [
          [3, 3000],
          [4, null],
          [6, 5900],
        ],
      },
      {
        name: "RF 3",
        kind: "range",
        data: [
          [3, 2800, 3100],
          [6, 5500, 6000],
        ],
      },
    ],
    levels: [{ axis: "x", at: 1, label: "one" }],
  }),
  bar: sample(["G1", "Serial"], {
    name: "bar",
    title: "Bars with their ranges",
    x: { name: "collector", scale: "category", labels: ["G1", "Serial"] },
    y: { name: "rate", unit: "requests/s", scale: "linear" },
    series: [
      {
        name: "p99",
        kind: "bar",
        data: [
          [0, 4000],
          [1, 3000],
        ],
      },
      {
        name: "p99",
        kind: "range",
        data: [
          [0, 3900, 4200],
          [1, 2500, 3100],
        ],
      },
      {
        name: "p99.9",
        kind: "bar",
        data: [
          [0, 400],
          [1, 300],
        ],
      },
    ],
  }),
  range: sample(["0.98", "1.04", "3 % goal"], {
    name: "range",
    title: "Ratios",
    x: { name: "figure", scale: "category", labels: ["mean", "p99"] },
    y: { name: "ratio", scale: "linear" },
    series: [
      {
        name: "cgroups",
        kind: "range",
        data: [
          [0, 0.99, 1.01],
          [1, 0.985, 1.035],
        ],
      },
    ],
    levels: [{ axis: "y", at: 1.03, label: "3 % goal" }],
  }),
  span: sample(["dc1-r1-1", "dc1-r2-1", "node"], {
    name: "span",
    title: "Stages",
    x: SECONDS,
    y: { name: "node", scale: "category", labels: ["dc1-r1-1", "dc1-r2-1"] },
    series: [
      {
        name: "LAUNCH",
        kind: "span",
        data: [
          [0, 0, 1],
          [1, 0.1, 1.2],
        ],
      },
      {
        name: "DAEMON",
        kind: "span",
        data: [
          [0, 1, 7],
          [1, 1.2, 8],
        ],
      },
    ],
  }),
};

export function eightLong(kind: "line" | "points", points: number): Sample {
  const data = (line: number): number[][] =>
    Array.from({ length: points }, (_, i) => [i / 10, 100 * line + ((i * 7919) % 97) / 3 + Math.sin(i)]);
  return sample([], {
    name: "long",
    title: "Eight long series",
    x: SECONDS,
    y: { name: "bytes", scale: "linear" },
    series: Array.from({ length: 8 }, (_, line) => ({ name: `line ${String(line)}`, kind, data: data(line) })),
  });
}
