import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, setPlatformAPI, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { type Drawing, seriesLayers } from "./layers.js";
import { LEGEND_ROW, legendEntries, legendLayer } from "./legend.js";
import { noteLayers } from "./notes.js";
import { type Scale, scaleOf } from "./scale.js";
import type { Axis, Plot } from "./spec.js";
import { FAINT_INK, FONT, GRID, HEIGHT, INK, MARGIN, TEXT_SIZE, textWidth, TITLE_SIZE, WIDTH, wrap } from "./style.js";
import { tidy } from "./tidy.js";

use([CustomChart, LineChart, GridComponent, TitleComponent, SVGRenderer]);
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, parseFloat(/[\d.]+px/.exec(font ?? "")?.[0] ?? "12")) }),
});

const TITLE_ROW = TITLE_SIZE + 5;
const SUBTITLE_ROW = TEXT_SIZE + 4;
const LABEL_ROOM_OF_Y = 170;

/** The plot as a picture of its own: the same bytes for the same plot, whatever was drawn before it. */
export function toSvg(plot: Plot): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption(optionOf(plot));
    return tidy(chart.renderToSVGString({ useViewBox: true }));
  } finally {
    chart.dispose(); // otherwise node does not end
  }
}

function optionOf(plot: Plot): Parameters<ReturnType<typeof init>["setOption"]>[0] {
  const drawing: Drawing = { plot, ...scalesOf(plot), names: [...new Set(plot.series.map(({ name }) => name))] };
  const title = wrap(plot.title, WIDTH - 2 * MARGIN, TITLE_SIZE * 1.1);
  const subtitle = plot.subtitle === "" ? [] : wrap(plot.subtitle, WIDTH - 2 * MARGIN, TEXT_SIZE);
  const legendTop = MARGIN + title.length * TITLE_ROW + subtitle.length * SUBTITLE_ROW + 4;
  const legendRows = (legendEntries(drawing.names).at(-1)?.row ?? 0) + 1;
  return {
    animation: false,
    backgroundColor: "#fff",
    textStyle: { fontFamily: FONT },
    title: {
      left: MARGIN,
      top: MARGIN,
      padding: 0,
      itemGap: 3,
      text: title.join("\n"),
      textStyle: { fontFamily: FONT, fontSize: TITLE_SIZE, fontWeight: "bold", lineHeight: TITLE_ROW, color: INK },
      subtext: subtitle.join("\n"),
      subtextStyle: { fontFamily: FONT, fontSize: TEXT_SIZE, lineHeight: SUBTITLE_ROW, color: FAINT_INK },
    },
    grid: {
      left: MARGIN,
      right: MARGIN + 8,
      top: legendTop + legendRows * LEGEND_ROW + 12,
      bottom: MARGIN - 4,
      outerBoundsMode: "same",
      outerBoundsContain: "all",
    },
    xAxis: {
      ...axisOf(plot.x, drawing.x, (WIDTH - 90) / drawing.x.ticks.length),
      nameGap: 10,
      splitLine: { show: plot.x.scale !== "category", lineStyle: { color: GRID } },
    },
    yAxis: {
      ...axisOf(plot.y, drawing.y, LABEL_ROOM_OF_Y),
      nameGap: 12,
      nameRotate: 90,
      inverse: plot.y.scale === "category",
      splitLine: { show: plot.y.scale !== "category", lineStyle: { color: GRID } },
    },
    series: [...noteLayers(drawing), ...seriesLayers(drawing), legendLayer(drawing, legendTop)],
  };
}

function axisOf({ name, unit, scale }: Axis, { low, high, ticks }: Scale, room: number): object {
  const places = ticks.map(({ at }) => at);
  const labels = { customValues: places, interval: 0, hideOverlap: false, fontFamily: FONT, fontSize: TEXT_SIZE };
  return {
    type: "value",
    min: low,
    max: high,
    name: unit === "" ? name : `${name} (${unit})`,
    nameLocation: "middle",
    nameTextStyle: { fontFamily: FONT, fontSize: TEXT_SIZE, color: INK },
    axisLine: { show: true, onZero: false, lineStyle: { color: FAINT_INK } },
    axisTick: { show: scale !== "category", customValues: places, lineStyle: { color: FAINT_INK } },
    axisLabel: {
      ...labels,
      color: INK,
      ...(scale === "category" ? { width: room - 8, overflow: "break" } : {}),
      formatter: (value: number) => labelNear(value, ticks),
    },
  };
}

function labelNear(value: number, ticks: Scale["ticks"]): string {
  const distance = (tick: { at: number }): number => Math.abs(tick.at - value);
  return ticks.reduce((best, tick) => (distance(tick) < distance(best) ? tick : best)).label;
}

/** The axes reach over all values, and over the levels. */
function scalesOf(plot: Plot): { x: Scale; y: Scale } {
  const values = { x: [] as number[], y: [] as number[] };
  for (const series of plot.series) {
    for (const [first, second, third] of series.data) {
      if (series.kind === "span") {
        values.x.push(second ?? first, third ?? first);
      } else {
        values.x.push(first);
        values.y.push(...[second, third].filter((value) => typeof value === "number"));
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
  return { x: scaleOf(plot.x, values.x, onlyLines), y: scaleOf(plot.y, values.y, false) };
}
