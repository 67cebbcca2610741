import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, setPlatformAPI, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { drawingOf } from "./drawing.js";
import { type Frame, frameOf, LABEL_GAP, LABEL_ROW, SUBTITLE_ROW, TITLE_ROW } from "./frame.js";
import { seriesLayers } from "./layers.js";
import { legendLayer } from "./legend.js";
import { noteLayers } from "./notes.js";
import type { Scale } from "./scale.js";
import type { Axis, Plot } from "./spec.js";
import { FAINT_INK, FONT, GRID, HEIGHT, INK, MARGIN, TEXT_SIZE, textWidth, TITLE_SIZE, WIDTH } from "./style.js";
import { tidy } from "./tidy.js";

use([CustomChart, LineChart, GridComponent, TitleComponent, SVGRenderer]);
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, parseFloat(/[\d.]+px/.exec(font ?? "")?.[0] ?? "12")) }),
});

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
  const drawing = drawingOf(plot);
  const frame = frameOf(drawing);
  return {
    animation: false,
    backgroundColor: "#fff",
    textStyle: { fontFamily: FONT },
    title: {
      left: MARGIN,
      top: MARGIN,
      padding: 0,
      itemGap: 3,
      text: frame.title.join("\n"),
      textStyle: { fontFamily: FONT, fontSize: TITLE_SIZE, fontWeight: "bold", lineHeight: TITLE_ROW, color: INK },
      subtext: frame.subtitle.join("\n"),
      subtextStyle: { fontFamily: FONT, fontSize: TEXT_SIZE, lineHeight: SUBTITLE_ROW, color: FAINT_INK },
    },
    grid: {
      left: frame.box.left,
      top: frame.box.top,
      right: WIDTH - frame.box.right,
      bottom: HEIGHT - frame.box.bottom,
      outerBoundsMode: "none",
    },
    xAxis: {
      ...axisOf(plot.x, drawing.x, frame.xLabels),
      name: frame.xName,
      nameGap: frame.xNameGap - TEXT_SIZE / 2,
    },
    yAxis: {
      ...axisOf(plot.y, drawing.y, frame.yLabels),
      name: frame.yName,
      nameGap: frame.yNameGap,
      nameRotate: 90,
      inverse: plot.y.scale === "category",
    },
    series: [...noteLayers(drawing), ...seriesLayers(drawing), legendLayer(drawing, frame.legendTop)],
  };
}

function axisOf({ scale }: Axis, { low, high, ticks }: Scale, labels: Frame["xLabels"]): object {
  const places = ticks.map(({ at }) => at);
  const nearest = (value: number): number =>
    places.reduce((best, at, i) => (Math.abs(at - value) < Math.abs((places[best] ?? at) - value) ? i : best), 0);
  const isCategory = scale === "category";
  return {
    type: "value",
    min: low,
    max: high,
    nameLocation: "middle",
    nameMoveOverlap: false,
    nameTextStyle: { fontFamily: FONT, fontSize: TEXT_SIZE, lineHeight: LABEL_ROW, color: INK },
    axisLine: { show: true, onZero: false, lineStyle: { color: FAINT_INK } },
    axisTick: { show: !isCategory, customValues: places, lineStyle: { color: FAINT_INK } },
    axisLabel: {
      customValues: places,
      formatter: (value: number) => labels.texts[nearest(value)] ?? "",
      hideOverlap: false,
      margin: LABEL_GAP,
      rotate: labels.tilt,
      fontFamily: FONT,
      fontSize: labels.size,
      lineHeight: LABEL_ROW,
      color: INK,
    },
    splitLine: { show: !isCategory, lineStyle: { color: GRID } },
  };
}
