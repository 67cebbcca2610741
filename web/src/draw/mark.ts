import type { Shape } from "../words/states";

/** Outlines of states in a square of 12 by 12. */
const PATHS: Record<Shape, string> = {
  disc: "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
  half: "M6 1.5a4.5 4.5 0 0 0 0 9zM6 1a5 5 0 0 1 0 10v-1.4a3.6 3.6 0 0 0 0-7.2z",
  triangle: "M6 1l5.3 10H.7z",
  cross: "M2.8 1.2L6 4.4l3.2-3.2l1.6 1.6L7.6 6l3.2 3.2l-1.6 1.6L6 7.6l-3.2 3.2l-1.6-1.6L4.4 6L1.2 2.8z",
  ring: "M6 1.2a4.8 4.8 0 1 1 0 9.6a4.8 4.8 0 1 1 0-9.6zM6 2.7a3.3 3.3 0 1 0 0 6.6a3.3 3.3 0 1 0 0-6.6z",
};

export function markPath(shape: Shape): string {
  return PATHS[shape];
}
