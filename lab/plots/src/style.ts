export const WIDTH = 760;
export const HEIGHT = 420;

/** Pixels left free at each side. */
export const MARGIN = 16;

export const FONT = "sans-serif";
export const TITLE_SIZE = 16;
export const TEXT_SIZE = 12;

export const INK = "#222";
export const FAINT_INK = "#555";
export const GRID = "#e4e4e4";
export const SHADE = "#8c8c8c";

/** Okabe and Ito's colours, which stay different for people with colour blindness; the palest last. */
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"];

export type Marker = "circle" | "rect" | "triangle" | "diamond";
const MARKERS: readonly Marker[] = ["circle", "rect", "triangle", "diamond"];

/** The look of the series with the n-th name. */
export interface Look {
  colour: string;
  marker: Marker;
  /** The fifth and later names, which have the markers of the first, but hollow. */
  hollow: boolean;
}

export function lookOf(index: number): Look {
  return {
    colour: COLOURS[index % COLOURS.length] ?? INK,
    marker: MARKERS[index % MARKERS.length] ?? "circle",
    hollow: index >= MARKERS.length,
  };
}

/** The width of a text in pixels, in DejaVu Sans: the widest of the common fonts that `sans-serif` stands for. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
  }
  return width * size;
}

function widthOf(character: string): number {
  if (/[ijl.,:;'|!]/.test(character)) return 0.32;
  if (/[-ftr I()[\]/]/.test(character)) return 0.41;
  if (/[mMwW%@+=<>~×→–]/.test(character)) return 0.96;
  if (/[A-Z]/.test(character)) return 0.72;
  return character.charCodeAt(0) < 0x2e80 ? 0.63 : 1;
}

/** The lines of a text that fit the width; only a word that is wider is broken. */
export function wrap(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).flatMap((whole) => pieces(whole, width, size))) {
    const longer = [...lines.slice(-1), word].join(" ");
    if (lines.length > 0 && textWidth(longer, size) <= width) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

function pieces(word: string, width: number, size: number): string[] {
  const found = [""];
  for (const character of word) {
    const longer = (found.at(-1) ?? "") + character;
    if (found.at(-1) === "" || textWidth(longer, size) <= width) {
      found[found.length - 1] = longer;
    } else {
      found.push(character);
    }
  }
  return found;
}
