import type { CustomSeriesOption } from "echarts/charts";
import type { Drawing } from "./drawing.js";
import { LINE_DASH, LINE_WIDTH } from "./layers.js";
import { filled, layer, markers, px, rectangle, type Shape, stroked, text, whisker } from "./shapes.js";
import { INK, lookOf, MARGIN, TEXT_SIZE, textWidth, WIDTH } from "./style.js";

export const LEGEND_ROW = 20;

const LINE_ICON = 30;
const ICON = 16;
const ICON_GAP = 6;
const GAP = 18;

interface Entry {
  name: string;
  left: number;
  icon: number;
  row: number;
}

/** Names beside each other, in rows as wide as the picture. */
export function legendEntries({ plot, names }: Drawing): Entry[] {
  let left = MARGIN;
  let row = 0;
  return names.map((name) => {
    const isLine = plot.series.some((series) => series.name === name && series.kind === "line");
    const icon = isLine ? LINE_ICON : ICON;
    const width = icon + ICON_GAP + textWidth(name, TEXT_SIZE);
    if (left > MARGIN && left + width > WIDTH - MARGIN) {
      left = MARGIN;
      row++;
    }
    const entry = { name, left, icon, row };
    left += width + GAP;
    return entry;
  });
}

export function legendLayer(drawing: Drawing, top: number): CustomSeriesOption {
  return layer(9, false, [drawing.x.low, drawing.y.low], () =>
    legendEntries(drawing).flatMap((entry) => {
      const y = top + (entry.row + 0.5) * LEGEND_ROW;
      return [...icon(drawing, entry, y), text(entry.name, entry.left + entry.icon + ICON_GAP, y)];
    }),
  );
}

/** All that series with this name look like. */
function icon({ plot, names }: Drawing, { name, left, icon: width }: Entry, y: number): Shape[] {
  const look = lookOf(names.indexOf(name));
  const own = plot.series.filter((series) => series.name === name);
  const centre = left + width / 2;
  const line = own.find((series) => series.kind === "line");
  const shapes: Shape[] = [];
  if (own.some(({ kind }) => kind === "bar" || kind === "span")) {
    shapes.push(filled(rectangle(left, y - 6, left + width, y + 6), look.colour));
  }
  if (line?.kind === "line") {
    const dash = line.dashed ? LINE_DASH : "solid";
    shapes.push(stroked(`M${px(left)} ${px(y)}H${px(left + width)}`, look.colour, LINE_WIDTH, dash));
  }
  if (own.some(({ kind }) => kind === "range")) {
    shapes.push(stroked(whisker(centre, y + 6, y - 6, 4), shapes.length > 0 ? INK : look.colour, 1.5));
  }
  if (own.some(({ kind }) => kind === "line" || kind === "points")) {
    shapes.push(...markers([[centre, y]], look, 7));
  }
  return shapes;
}
