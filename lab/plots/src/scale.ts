import type { Axis } from "./spec.js";

export interface Tick {
  at: number;
  label: string;
}

/** Where values stand on an axis that ECharts draws as linear: `low`, `high` and the ticks are such places. */
export interface Scale {
  place(value: number): number;
  low: number;
  high: number;
  ticks: Tick[];
}

const TICKS = 7;
const LOG_DECADES_WITH_LABELS_BETWEEN = 3;
const LOG_LABELS = 9;

/** With more, the label of 0 % would meet that of 50 %. */
const MOST_NINES_WITH_ZERO = 4.2;

const ROUNDING = 1e-9;

/**
 * @param values all that the axis must show
 * @param exact whether the axis ends with the outermost values, rather than with a tick
 */
export function scaleOf(axis: Axis, values: readonly number[], exact: boolean): Scale {
  if (axis.scale === "category") {
    return category(axis.labels);
  }
  const shown = [...values, axis.min ?? NaN, axis.max ?? NaN].filter((value) => !Number.isNaN(value));
  const low = axis.min ?? shown.reduce((a, b) => Math.min(a, b));
  const high = axis.max ?? shown.reduce((a, b) => Math.max(a, b));
  switch (axis.scale) {
    case "linear":
      return linear(axis, low, high, exact);
    case "log":
      return logarithmic(axis, low, high);
    case "nines":
      return nines(axis, low, high);
  }
}

/** With a thousands separator, and the digits that the step between two numbers needs. */
export function numberText(value: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + ROUNDING));
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString("en-US", options).replace(/^-(?=[0.]*$)/, "");
}

function linear(axis: Axis, least: number, most: number, exact: boolean): Scale {
  let low = least;
  let high = most;
  // a difference looks like a multiple on an axis that leaves out most of the way to 0
  if (axis.min === undefined && low > 0 && low < high / 2) low = 0;
  if (axis.max === undefined && high < 0 && high > low / 2) high = 0;
  if (low >= high) {
    const half = Math.abs(low) / 10 || 1;
    low = axis.min ?? low - half;
    high = axis.max ?? Math.max(low, high) + half;
  }
  const step = niceStep((high - low) / TICKS);
  if (!exact) {
    low = axis.min ?? Math.floor(low / step + ROUNDING) * step;
    high = axis.max ?? Math.ceil(high / step - ROUNDING) * step;
  }
  const ticks: Tick[] = [];
  for (let i = Math.ceil(low / step - ROUNDING); i <= high / step + ROUNDING; i++) {
    ticks.push({ at: inside(i * step, low, high), label: numberText(i * step, step) });
  }
  return { place: (value) => value, low, high, ticks };
}

/** 1, 2 or 5 times a power of 10. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - ROUNDING)) ?? 10);
}

function logarithmic(axis: Axis, least: number, most: number): Scale {
  const low = Math.log10(axis.min ?? niceBelow(least));
  const high = Math.log10(axis.max ?? niceAbove(Math.max(most, niceBelow(least) * 2)));
  const factors = high - low > LOG_DECADES_WITH_LABELS_BETWEEN ? [1] : [1, 2, 5];
  const stride = Math.ceil((high - low) / LOG_LABELS);
  const ticks: Tick[] = [];
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const factor of decade % stride === 0 ? factors : []) {
      const value = factor * 10 ** decade;
      const at = Math.log10(value);
      if (at >= low - ROUNDING && at <= high + ROUNDING) {
        ticks.push({ at: inside(at, low, high), label: numberText(value, 10 ** decade) });
      }
    }
  }
  return { place: Math.log10, low, high, ticks };
}

function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + ROUNDING);
  return power * ([5, 2, 1].find((factor) => factor * power <= value * (1 + ROUNDING)) ?? 1);
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + ROUNDING);
  return power * ([1, 2, 5].find((factor) => factor * power >= value * (1 - ROUNDING)) ?? 10);
}

/** Every further nine of a percentile takes the same width. */
function nines(axis: Axis, least: number, most: number): Scale {
  const place = (fraction: number): number => Math.log10(1 / (1 - fraction));
  const low = place(least);
  const high = Math.max(place(most), axis.max === undefined ? low + 1 : 0);
  const ticks = [
    ...(high - low < MOST_NINES_WITH_ZERO ? [{ at: 0, label: "0 %" }] : []),
    { at: place(0.5), label: "50 %" },
    { at: 1, label: "90 %" },
  ];
  for (let count = 2; count <= high + ROUNDING; count++) {
    ticks.push({ at: count, label: `99${count > 2 ? `.${"9".repeat(count - 2)}` : ""} %` });
  }
  return {
    place,
    low,
    high,
    ticks: ticks
      .filter(({ at }) => at >= low - ROUNDING && at <= high + ROUNDING)
      .map(({ at, label }) => ({ at: inside(at, low, high), label })),
  };
}

function category(labels: readonly string[]): Scale {
  return {
    place: (index) => index,
    low: -0.5,
    high: labels.length - 0.5,
    ticks: labels.map((label, at) => ({ at, label })),
  };
}

/** Rounding must not put a tick outside the axis, where ECharts leaves it out. */
function inside(at: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, at));
}
