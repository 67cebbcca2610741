import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type { Drawing } from "./drawing.js";
import { type Box, filled, layer, markers, rectangle, stroked, whisker } from "./shapes.js";
import type { IntervalSeries, PointSeries } from "./spec.js";
import { INK, type Look, lookOf } from "./style.js";
import { thin } from "./thin.js";

export const LINE_WIDTH = 2;
export const LINE_DASH = [7, 4];

/** Points of one line; fewer, if a plot has more lines, so that a file stays below 60 KB. */
const MOST_POINTS = 600;
const MOST_POINTS_OF_ALL = 3000;

/** Bytes of a marker, as a multiple of those of a point of a line. */
const MARKER_COST = 5;

const MARKERS_OF_LINE = 7;
const LINE_WITH_ALL_MARKERS = 12;

const GROUP_WIDTH = 0.8;
const MOST_BAR_WIDTH = 0.5;

type Layer = CustomSeriesOption | LineSeriesOption;
type Place = [number, number | null];

export function seriesLayers(drawing: Drawing): Layer[] {
  return drawing.plot.series.flatMap((series): Layer[] => {
    const look = lookOf(drawing.names.indexOf(series.name));
    switch (series.kind) {
      case "line":
        return lineLayers(drawing, series, look);
      case "points":
        return [pointLayer(drawing, series, look)];
      case "bar":
        return [barLayer(drawing, series, look)];
      case "range":
        return [rangeLayer(drawing, series, look)];
      case "span":
        return [spanLayer(drawing, series, look)];
    }
  });
}

function lineLayers(drawing: Drawing, series: PointSeries, look: Look): Layer[] {
  const places = limited(drawing, placesOf(drawing, series));
  const marked = markedPlaces(drawing, places, drawing.names.indexOf(series.name));
  return [
    {
      type: "line",
      data: places.map(([x, y]) => [x, y ?? "-"]),
      showSymbol: false,
      silent: true,
      clip: true,
      z: 3,
      lineStyle: { color: look.colour, width: LINE_WIDTH, type: series.dashed ? LINE_DASH : "solid" },
    },
    over(drawing, 4, false, (at, box) =>
      markers(
        marked.map(([x, y]) => at(x, y)).filter((point) => isInside(point, box)),
        look,
        7,
      ),
    ),
  ];
}

/** A few points of a line, at other places than those of other lines; all of a short one; and those between gaps. */
function markedPlaces({ x, names }: Drawing, places: readonly Place[], line: number): [number, number][] {
  const marked = new Set<number>();
  const isGap = (index: number): boolean => (places[index]?.[1] ?? null) === null;
  places.forEach((_, i) => {
    if (places.length <= LINE_WITH_ALL_MARKERS || (isGap(i - 1) && isGap(i + 1))) marked.add(i);
  });
  for (let i = 0; i < MARKERS_OF_LINE; i++) {
    const share = (i + (line + 0.5) / names.length) / MARKERS_OF_LINE;
    marked.add(places.findIndex(([at, y]) => y !== null && at >= x.low + share * (x.high - x.low)));
  }
  return places.flatMap(([at, y], i): [number, number][] => (marked.has(i) && y !== null ? [[at, y]] : []));
}

function pointLayer(drawing: Drawing, series: PointSeries, look: Look): Layer {
  const shift = shiftOf(drawing, series.name);
  const places = limited(drawing, placesOf(drawing, series), MARKER_COST);
  return over(drawing, 6, false, (at, box) =>
    markers(
      places.flatMap(([x, y]) => (y === null ? [] : [at(x + shift, y)])).filter((point) => isInside(point, box)),
      look,
      8,
    ),
  );
}

function barLayer(drawing: Drawing, series: PointSeries, look: Look): Layer {
  const centre = shiftOf(drawing, series.name);
  const half = groupStep(drawing) * 0.46;
  const foot = Math.max(drawing.y.low, drawing.plot.y.scale === "log" ? drawing.y.low : 0);
  return over(drawing, 3, true, (at) => {
    const path = placesOf(drawing, series).map(([x, y]) => {
      if (y === null) return "";
      return rectangle(...at(x + centre - half, foot), ...at(x + centre + half, y));
    });
    return [filled(path.join(""), look.colour)];
  });
}

function rangeLayer(drawing: Drawing, series: IntervalSeries, look: Look): Layer {
  const shift = shiftOf(drawing, series.name);
  // in the colour of its own bar it would disappear
  const onBar = drawing.plot.series.some((other) => other.kind === "bar" && other.name === series.name);
  return over(drawing, 5, true, (at) => {
    const path = series.data.map(([value, low, high]) => {
      const x = drawing.x.place(value) + shift;
      const [left, bottom] = at(x, drawing.y.place(low));
      return whisker(left, bottom, at(x, drawing.y.place(high))[1], 5);
    });
    return [stroked(path.join(""), onBar ? INK : look.colour, onBar ? 1.5 : LINE_WIDTH)];
  });
}

function spanLayer(drawing: Drawing, series: IntervalSeries, look: Look): Layer {
  return over(drawing, 3, true, (at) => {
    const path = series.data.map(([row, from, to]) => {
      const [left, top] = at(drawing.x.place(from), row - 0.3);
      const [right, bottom] = at(drawing.x.place(to), row + 0.3);
      return rectangle(left, top, Math.max(right, left + 1), bottom);
    });
    return [filled(path.join(""), look.colour)];
  });
}

function over({ x, y }: Drawing, z: number, clip: boolean, paint: Parameters<typeof layer>[3]): Layer {
  return layer(z, clip, [x.low, y.low], paint);
}

function placesOf({ x, y }: Drawing, series: PointSeries): Place[] {
  return series.data.map(([at, value]) => [x.place(at), value === null ? null : y.place(value)]);
}

function limited({ plot }: Drawing, places: Place[], cost = 1): Place[] {
  const many = plot.series.filter(({ kind }) => kind === "line" || kind === "points").length;
  return thin(places, Math.min(MOST_POINTS, Math.floor(MOST_POINTS_OF_ALL / many / cost)));
}

/** On a category, series with other names stand beside each other. */
function grouped({ plot, names }: Drawing): string[] {
  const isBeside = (name: string): boolean =>
    plot.series.some((series) => series.name === name && series.kind !== "line" && series.kind !== "span");
  return plot.x.scale === "category" ? names.filter(isBeside) : [];
}

function groupStep(drawing: Drawing): number {
  return Math.min(MOST_BAR_WIDTH, GROUP_WIDTH / Math.max(1, grouped(drawing).length));
}

function shiftOf(drawing: Drawing, name: string): number {
  const names = grouped(drawing);
  return names.includes(name) ? (names.indexOf(name) - (names.length - 1) / 2) * groupStep(drawing) : 0;
}

/** Markers on the frame are whole, markers outside are left out. */
function isInside([x, y]: readonly [number, number], box: Box): boolean {
  return x >= box.left - 0.5 && x <= box.right + 0.5 && y >= box.top - 0.5 && y <= box.bottom + 0.5;
}
