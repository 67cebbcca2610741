import type { CustomSeriesOption } from "echarts/charts";
import type { Drawing } from "./drawing.js";
import { type Box, filled, layer, px, rectangle, type Shape, stroked, text } from "./shapes.js";
import { FAINT_INK, SHADE, TEXT_SIZE, textWidth, wrap } from "./style.js";

export const NOTE_ROW = TEXT_SIZE + 4;

const ROWS = 6;
const GAP = 6;
const WIDEST_BESIDE = 120;

/** The label of a band or level outside the frame, where it hides no data. */
interface Note {
  label: string;
  axis: "x" | "y";
  /** The place on the axis that the label stands at. */
  place: number;
}

interface NoteAbove extends Note {
  /** Pixels. */
  left: number;
  /** Counted from the frame upwards. */
  row: number;
}

/** The labels of one axis. A label that several have stands at the first of them. */
function notesOf({ plot, x, y }: Drawing, axis: "x" | "y"): Note[] {
  const scale = axis === "x" ? x : y;
  const within = (value: number): number => Math.min(scale.high, Math.max(scale.low, scale.place(value)));
  const notes = [
    ...plot.levels.map((level) => ({ ...level, place: within(level.at) })),
    ...plot.bands.map((band) => ({ ...band, place: (within(band.from) + within(band.to)) / 2 })),
  ].filter((note) => note.axis === axis && note.label !== "");
  return notes.filter(({ label }, i) => notes.findIndex((other) => other.label === label) === i);
}

/** Right of the frame, in lines, with the pixels that the widest takes. */
export function notesBeside(drawing: Drawing): { notes: (Note & { lines: string[] })[]; room: number } {
  const notes = notesOf(drawing, "y").map((note) => ({ ...note, lines: wrap(note.label, WIDEST_BESIDE, TEXT_SIZE) }));
  const widths = notes.flatMap(({ lines }) => lines).map((line) => textWidth(line, TEXT_SIZE));
  return { notes, room: notes.length === 0 ? 0 : GAP + Math.max(...widths) };
}

/** Above a frame from left to right, each in the lowest row that has room for it. */
export function notesAbove(drawing: Drawing, left: number, right: number): NoteAbove[] {
  const { low, high } = drawing.x;
  const ends = Array<number>(ROWS).fill(-Infinity);
  return notesOf(drawing, "x")
    .sort((a, b) => a.place - b.place)
    .map((note) => {
      const width = textWidth(note.label, TEXT_SIZE);
      const middle = left + ((note.place - low) / (high - low)) * (right - left);
      const start = Math.max(left, Math.min(right + GAP - width, middle - width / 2));
      const free = ends.findIndex((end) => end + GAP <= start);
      const row = free < 0 ? ROWS - 1 : free;
      ends[row] = start + width;
      return { ...note, left: start, row };
    });
}

/** Shaded bands below the series; levels and all labels above them. */
export function noteLayers(drawing: Drawing): CustomSeriesOption[] {
  const { plot, x, y } = drawing;
  const corner = [x.low, y.low] as const;
  const bands = layer(1, true, corner, (at, box) =>
    plot.bands.map(({ axis, from, to }) => {
      if (axis === "x") {
        return shade({ ...box, left: at(x.place(from), y.low)[0], right: at(x.place(to), y.low)[0] });
      }
      return shade({ ...box, top: at(x.low, y.place(to))[1], bottom: at(x.low, y.place(from))[1] });
    }),
  );
  const levels = layer(7, true, corner, (at, box) =>
    plot.levels.map((level) => {
      const path =
        level.axis === "x"
          ? `M${px(at(x.place(level.at), y.low)[0])} ${px(box.top)}V${px(box.bottom)}`
          : `M${px(box.left)} ${px(at(x.low, y.place(level.at))[1])}H${px(box.right)}`;
      return stroked(path, FAINT_INK, 1.2, [2, 3]);
    }),
  );
  const labels = layer(8, false, corner, (at, box) => [
    ...notesAbove(drawing, box.left, box.right).map(({ label, left, row }) =>
      text(label, left, box.top - 4 - (row + 0.5) * NOTE_ROW, FAINT_INK),
    ),
    ...beside(drawing, (place) => at(x.low, place)[1], box),
  ]);
  return [bands, levels, labels];
}

function shade({ left, top, right, bottom }: Box): Shape {
  const wide = Math.max(0, 1.5 - (right - left)) / 2; // a short stall is still seen
  return filled(rectangle(left - wide, top, right + wide, bottom), SHADE, 0.28);
}

/** Labels at their heights, moved down where they would overlap, and up again from the end of the frame. */
function beside(drawing: Drawing, height: (place: number) => number, box: Box): Shape[] {
  const notes = notesBeside(drawing)
    .notes.map(({ place, lines }) => ({ lines, half: (lines.length * NOTE_ROW) / 2, middle: height(place) }))
    .sort((a, b) => a.middle - b.middle);
  let end = -Infinity;
  for (const note of notes) {
    note.middle = Math.max(note.middle, end + note.half);
    end = note.middle + note.half;
  }
  let start = box.bottom + NOTE_ROW;
  for (const note of notes.reverse()) {
    note.middle = Math.min(note.middle, start - note.half);
    start = note.middle - note.half;
  }
  return notes.flatMap(({ lines, half, middle }) =>
    lines.map((line, i) => text(line, box.right + GAP, middle - half + (i + 0.5) * NOTE_ROW, FAINT_INK)),
  );
}
