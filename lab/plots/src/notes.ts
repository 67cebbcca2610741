import type { CustomSeriesOption } from "echarts/charts";
import type { Drawing } from "./layers.js";
import { type Box, filled, layer, px, rectangle, type Shape, stroked, text } from "./shapes.js";
import type { Band, Level } from "./spec.js";
import { FAINT_INK, SHADE, TEXT_SIZE, textWidth } from "./style.js";

const ROW = TEXT_SIZE + 4;
const ROWS = 4;
const GAP = 4;

/** Shaded bands below the series, levels and the labels of both above them. */
export function noteLayers({ plot, x, y }: Drawing): CustomSeriesOption[] {
  const corner = [x.low, y.low] as const;
  const place = (axis: "x" | "y", value: number): number => (axis === "x" ? x : y).place(value);
  type At = (x: number, y: number) => readonly [number, number];

  const bandBox = (band: Band, at: At, box: Box): Box => {
    const from = at(place(band.axis, band.from), place(band.axis, band.from));
    const to = at(place(band.axis, band.to), place(band.axis, band.to));
    const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
    return band.axis === "x"
      ? { ...box, left: within(from[0], box.left, box.right), right: within(to[0], box.left, box.right) }
      : { ...box, top: within(to[1], box.top, box.bottom), bottom: within(from[1], box.top, box.bottom) };
  };
  const levelPixel = (level: Level, at: At): number => {
    const value = place(level.axis, level.at);
    return at(value, value)[level.axis === "x" ? 0 : 1];
  };

  const below = layer(1, true, corner, (at, box) => plot.bands.map((band) => shade(bandBox(band, at, box))));
  const above = layer(7, true, corner, (at, box) =>
    plot.levels.map((level) => {
      const pixel = px(levelPixel(level, at));
      const path =
        level.axis === "x"
          ? `M${pixel} ${px(box.top)}V${px(box.bottom)}`
          : `M${px(box.left)} ${pixel}H${px(box.right)}`;
      return stroked(path, FAINT_INK, 1.2, [2, 3]);
    }),
  );
  const labels = layer(8, false, corner, (at, box) => {
    const taken = new Labels(box);
    for (const level of plot.levels.filter(({ axis }) => axis === "y")) {
      taken.alongY(level.label, levelPixel(level, at));
    }
    for (const level of plot.levels.filter(({ axis }) => axis === "x")) {
      taken.alongX(level.label, levelPixel(level, at));
    }
    const named = plot.bands.filter(({ label }, i) => plot.bands.findIndex((other) => other.label === label) === i);
    for (const band of named.filter(({ label }) => label !== "")) {
      const { left, right, top, bottom } = bandBox(band, at, box);
      if (band.axis === "x") {
        taken.alongX(band.label, (left + right) / 2);
      } else {
        taken.alongY(band.label, (top + bottom) / 2 + ROW / 2);
      }
    }
    return taken.shapes;
  });
  return [below, above, labels];
}

function shade({ left, top, right, bottom }: Box): Shape {
  const wide = Math.max(0, 1.5 - (right - left)) / 2; // a short stall is still seen
  return filled(rectangle(left - wide, top, right + wide, bottom), SHADE, 0.28);
}

/** Labels inside the frame, each at the first free place near what it names. */
class Labels {
  readonly shapes: Shape[] = [];
  private readonly boxes: Box[] = [];

  constructor(private readonly frame: Box) {}

  /** Near the top, in one of several rows, centred at x if the frame has the room. */
  alongX(label: string, x: number): void {
    const half = textWidth(label, TEXT_SIZE) / 2;
    const left = Math.max(this.frame.left + GAP, Math.min(this.frame.right - half * 2 - GAP, x - half));
    const rows = [...Array(ROWS).keys()].map((row) => [left, this.frame.top + GAP + (row + 0.5) * ROW] as const);
    this.add(label, rows);
  }

  /** Above or below the height y, at the right or the left end. */
  alongY(label: string, y: number): void {
    const right = this.frame.right - GAP - textWidth(label, TEXT_SIZE);
    const places = [right, this.frame.left + GAP].flatMap((left) => [
      [left, y - ROW / 2] as const,
      [left, y + ROW / 2] as const,
    ]);
    this.add(label, places);
  }

  private add(label: string, places: readonly (readonly [number, number])[]): void {
    const width = textWidth(label, TEXT_SIZE);
    const boxAt = ([left, y]: readonly [number, number]): Box => ({
      left,
      top: y - ROW / 2,
      right: left + width,
      bottom: y + ROW / 2,
    });
    const inFrame = (box: Box): boolean => box.top >= this.frame.top && box.bottom <= this.frame.bottom;
    const isFree = (box: Box): boolean => inFrame(box) && !this.boxes.some((other) => meet(box, other));
    const chosen = places.find((place) => isFree(boxAt(place))) ?? places.find((place) => inFrame(boxAt(place)));
    if (chosen !== undefined) {
      this.boxes.push(boxAt(chosen));
      this.shapes.push(text(label, chosen[0], chosen[1], FAINT_INK));
    }
  }
}

function meet(one: Box, other: Box): boolean {
  return (
    one.left < other.right + GAP && other.left < one.right + GAP && one.top < other.bottom && other.top < one.bottom
  );
}
