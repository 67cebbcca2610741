import { type Drawing } from "./drawing.js";
import { LEGEND_ROW, legendEntries } from "./legend.js";
import { notesAbove, notesBeside, NOTE_ROW } from "./notes.js";
import type { Box } from "./shapes.js";
import { HEIGHT, MARGIN, TEXT_SIZE, textWidth, TITLE_SIZE, WIDTH, wrap } from "./style.js";

export const TITLE_ROW = TITLE_SIZE + 5;
export const SUBTITLE_ROW = TEXT_SIZE + 4;
export const LABEL_ROW = TEXT_SIZE + 2;

/** Room between an axis and its labels. */
export const LABEL_GAP = 8;

const NAME_GAP = 10;
const LABEL_ROOM_OF_Y = 170;
const LABEL_ROOM_OF_TILTED_X = 140;
const SMALLEST_LABEL = 10;
const TILT = 45;

/** About what the x axis takes, where its labels are not known yet. */
const ROOM_BELOW = 90;

/** Where everything stands, in pixels: computed before the drawing, so that nothing overlaps or is cut off. */
export interface Frame {
  title: string[];
  subtitle: string[];
  legendTop: number;
  /** Between the axes. */
  box: Box;
  xLabels: Labels;
  yLabels: Labels;
  xName: string;
  yName: string;
  /** From the axes to the middle of their names. */
  xNameGap: number;
  yNameGap: number;
}

/** The labels of an axis in lines, in the order of its ticks. */
interface Labels {
  texts: string[];
  size: number;
  /** Degrees. */
  tilt: number;
}

export function frameOf(drawing: Drawing): Frame {
  const { plot, x, y } = drawing;
  const wide = WIDTH - 2 * MARGIN;
  const title = wrap(plot.title, wide, TITLE_SIZE * 1.1); // bold is wider
  const subtitle = plot.subtitle === "" ? [] : wrap(plot.subtitle, wide, TEXT_SIZE);
  const legendTop = MARGIN + title.length * TITLE_ROW + subtitle.length * SUBTITLE_ROW + 4;
  const legendRows = (legendEntries(drawing).at(-1)?.row ?? 0) + 1;

  const yLabels = labelsIn(
    y.ticks.map(({ label }) => label),
    LABEL_ROOM_OF_Y,
  );
  const yNameGap = LABEL_GAP + widest(yLabels) + NAME_GAP;
  const header = legendTop + legendRows * LEGEND_ROW + 12;
  const yName = wrap(nameOf(plot.y), HEIGHT - header - ROOM_BELOW, TEXT_SIZE);
  const left = MARGIN + yName.length * LABEL_ROW + yNameGap;

  const names = x.ticks.map(({ label }) => label);
  const lastLabel = plot.x.scale === "category" ? 0 : textWidth(names.at(-1) ?? "", TEXT_SIZE) / 2;
  const right = WIDTH - MARGIN - Math.max(lastLabel, notesBeside(drawing).room);
  const xLabels = plot.x.scale === "category" ? labelsAlong(names, (right - left) / names.length - 6) : level(names);
  const xNameGap = LABEL_GAP + heightOf(xLabels) + NAME_GAP - 2;
  const bottom = HEIGHT - MARGIN - TEXT_SIZE / 2 - xNameGap;
  const above = notesAbove(drawing, left, right);
  const top = header + (Math.max(-1, ...above.map(({ row }) => row)) + 1) * NOTE_ROW;

  return {
    title,
    subtitle,
    legendTop,
    box: { left, top, right, bottom },
    xLabels,
    yLabels,
    xName: wrap(nameOf(plot.x), right - left, TEXT_SIZE).join("\n"),
    yName: yName.join("\n"),
    xNameGap,
    yNameGap,
  };
}

function nameOf({ name, unit }: { name: string; unit: string }): string {
  return unit === "" ? name : `${name} (${unit})`;
}

function level(texts: string[]): Labels {
  return { texts, size: TEXT_SIZE, tilt: 0 };
}

function labelsIn(texts: readonly string[], room: number): Labels {
  return level(texts.map((text) => wrap(text, room, TEXT_SIZE).join("\n")));
}

/** Smaller, and then tilted, if a word is wider than its category: no word is broken. */
function labelsAlong(texts: readonly string[], room: number): Labels {
  const word = Math.max(...texts.flatMap((text) => text.split(/\s+/)).map((part) => textWidth(part, 1)));
  for (let size = TEXT_SIZE; size >= SMALLEST_LABEL; size--) {
    if (word * size <= room) {
      return { texts: texts.map((text) => wrap(text, room, size).join("\n")), size, tilt: 0 };
    }
  }
  return { ...labelsIn(texts, LABEL_ROOM_OF_TILTED_X), tilt: TILT };
}

function heightOf(labels: Labels): number {
  const lines = Math.max(...labels.texts.map((text) => text.split("\n").length)) * LABEL_ROW;
  const tilt = (labels.tilt * Math.PI) / 180;
  return lines * Math.cos(tilt) + widest(labels) * Math.sin(tilt);
}

function widest({ texts, size }: Labels): number {
  return Math.max(...texts.flatMap((text) => text.split("\n")).map((line) => textWidth(line, size)));
}
