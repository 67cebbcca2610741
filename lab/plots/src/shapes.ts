import type { CustomSeriesOption } from "echarts/charts";
import { FONT, INK, type Look, type Marker, TEXT_SIZE } from "./style.js";

type RenderItem = NonNullable<CustomSeriesOption["renderItem"]>;
export type Shape = NonNullable<ReturnType<RenderItem>>;

/** The area between the axes, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Draws once the layout is known. `at` gives the pixels of a place on both axes. */
export type Painter = (at: (x: number, y: number) => readonly [number, number], box: Box) => Shape[];

/** A layer of shapes over the axes; higher `z` is above. */
export function layer(z: number, clip: boolean, corner: readonly [number, number], paint: Painter): CustomSeriesOption {
  return {
    type: "custom",
    data: [[...corner]],
    clip,
    silent: true,
    z,
    renderItem: (params, api) => {
      const { x, y, width, height } = params.coordSys as unknown as Record<"x" | "y" | "width" | "height", number>;
      const at = (placeX: number, placeY: number): readonly [number, number] => {
        const [left = 0, top = 0] = api.coord([placeX, placeY]);
        return [left, top];
      };
      return { type: "group", children: paint(at, { left: x, top: y, right: x + width, bottom: y + height }) };
    },
  } as CustomSeriesOption;
}

export function filled(pathData: string, colour: string, opacity = 1): Shape {
  return { type: "path", shape: { pathData }, style: { fill: colour, opacity } } as Shape;
}

export function stroked(pathData: string, colour: string, width: number, dash: number[] | "solid" = "solid"): Shape {
  return {
    type: "path",
    shape: { pathData },
    style: { fill: "none", stroke: colour, lineWidth: width, lineDash: dash },
  } as Shape;
}

/** A text with a white rim, so that it can be read across lines. */
export function text(words: string, x: number, y: number, colour = INK): Shape {
  return {
    type: "text",
    x,
    y,
    style: {
      text: words,
      fontSize: TEXT_SIZE,
      fontFamily: FONT,
      fill: colour,
      stroke: "#fff",
      lineWidth: 3,
      verticalAlign: "middle",
    },
  } as Shape;
}

/** Markers at the given pixels. */
export function markers(points: readonly (readonly [number, number])[], look: Look, size: number): Shape[] {
  const path = points.map(([x, y]) => MARKER_PATHS[look.marker](x, y, size)).join("");
  if (path === "") {
    return [];
  }
  return look.hollow ? [filled(path, "#fff"), stroked(path, look.colour, 1.5)] : [filled(path, look.colour)];
}

export function rectangle(x1: number, y1: number, x2: number, y2: number): string {
  return `M${px(x1)} ${px(y1)}H${px(x2)}V${px(y2)}H${px(x1)}Z`;
}

/** An upright error bar. */
export function whisker(x: number, low: number, high: number, half: number): string {
  const cap = (y: number): string => `M${px(x - half)} ${px(y)}H${px(x + half)}`;
  return `${cap(low)}${cap(high)}M${px(x)} ${px(low)}V${px(high)}`;
}

export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const MARKER_PATHS: Record<Marker, (x: number, y: number, size: number) => string> = {
  circle: (x, y, size) => {
    const arc = (end: number): string => `A${px(size / 2)} ${px(size / 2)} 0 1 1 ${px(end)} ${px(y)}`;
    return `M${px(x - size / 2)} ${px(y)}${arc(x + size / 2)}${arc(x - size / 2)}Z`;
  },
  rect: (x, y, size) => rectangle(x - size * 0.45, y - size * 0.45, x + size * 0.45, y + size * 0.45),
  triangle: (x, y, size) =>
    polygon(x, y - size * 0.6, x + size * 0.6, y + size * 0.45, x - size * 0.6, y + size * 0.45),
  diamond: (x, y, size) => polygon(x, y - size * 0.65, x + size * 0.65, y, x, y + size * 0.65, x - size * 0.65, y),
};

function polygon(...coordinates: number[]): string {
  return `M${coordinates.map(px).join(" ")}Z`;
}
