import { type Scale, scaleOf } from "./scale.js";
import type { Plot } from "./spec.js";

/** A plot with the scales of its axes. */
export interface Drawing {
  plot: Plot;
  x: Scale;
  y: Scale;
  /** The names of the series in the order of the legend. Series with one name share a look. */
  names: string[];
}

/** The axes reach over all values, and over the levels. */
export function drawingOf(plot: Plot): Drawing {
  const values = { x: [] as number[], y: [] as number[] };
  for (const series of plot.series) {
    for (const [first, second, third] of series.data) {
      const rest = [second, third].filter((value) => typeof value === "number");
      if (series.kind === "span") {
        values.x.push(...rest);
      } else {
        values.x.push(first);
        values.y.push(...rest);
      }
    }
    if (series.kind === "bar" && plot.y.scale === "linear") {
      values.y.push(0);
    }
  }
  for (const { axis, at } of plot.levels) {
    values[axis].push(at);
  }
  const onlyLines = plot.series.every(({ kind }) => kind === "line");
  return {
    plot,
    x: scaleOf(plot.x, values.x, onlyLines),
    y: scaleOf(plot.y, values.y, false),
    names: [...new Set(plot.series.map(({ name }) => name))],
  };
}
