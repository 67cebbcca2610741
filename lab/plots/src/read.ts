import { Field, SpecError } from "./field.js";
import { type Axis, type Band, type Kind, KINDS, type Level, type Plot, SCALES, type Series } from "./spec.js";

/** The number of colours that people with colour blindness tell apart. */
export const MAX_NAMES = 8;

/** Characters that two lines below a category have room for. */
const LONGEST_LABEL = 40;
/** A bar, range or span cannot be left out as a point of a line can. */
const MOST_SHAPES = 500;
const MOST_NOTES = 100;

const TOO_LONG = `longer than ${String(LONGEST_LABEL)} characters`;

/** @throws SpecError for the first problem */
export function readSpec(json: string): Plot[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (e) {
    throw new SpecError(`not JSON: ${e instanceof Error ? e.message : String(e)}`);
  }
  const spec = new Field(value, "", "").fields(["plots"], []);
  const plots = spec.get("plots").list(1).map(readPlot);
  plots.forEach((plot, i) => {
    if (plots.findIndex((other) => other.name === plot.name) < i) {
      throw new SpecError(`plot '${plot.name}': name: used twice`);
    }
  });
  return plots;
}

function readPlot(numbered: Field): Plot {
  const name = numbered.get("name").text();
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    numbered.get("name").fail(`'${name}' is not a name of small letters, digits and -`);
  }
  const field = numbered.asPlot(name).fields(["name", "title", "x", "y", "series"], ["subtitle", "bands", "levels"]);
  const x = readAxis(field.get("x"));
  const y = readAxis(field.get("y"));
  const series = field.get("series");
  const plot = {
    name,
    title: field.get("title").text(),
    subtitle: field.optionalText("subtitle"),
    x,
    y,
    series: series.list(1).map((one) => readSeries(one, x, y)),
    bands: field.optionalList("bands").map((one) => readBand(one, x, y)),
    levels: field.optionalList("levels").map((one) => readLevel(one, x, y)),
  };
  checkTogether(plot, field);
  return plot;
}

function readAxis(field: Field): Axis {
  field.fields(["name", "scale"], ["unit", "labels", "min", "max"]);
  const scale = field.get("scale").oneOf(SCALES);
  const isCategory = scale === "category";
  if (isCategory !== field.has("labels")) {
    field.get("labels").fail(isCategory ? "missing field" : "only for scale category");
  }
  const axis: Axis = {
    name: field.get("name").text(),
    unit: field.optionalText("unit"),
    scale,
    labels: isCategory
      ? field
          .get("labels")
          .list(1)
          .map((label) => (label.text().length > LONGEST_LABEL ? label.fail(TOO_LONG) : label.text()))
      : [],
    min: field.optionalNumber("min"),
    max: field.optionalNumber("max"),
  };
  for (const end of ["min", "max"] as const) {
    if (axis[end] !== undefined) {
      if (isCategory) {
        field.get(end).fail("not for scale category");
      }
      checkPlace(field.get(end), axis, axis[end]);
    }
  }
  if (axis.min !== undefined && axis.max !== undefined && axis.min >= axis.max) {
    field.get("max").fail("not above min");
  }
  return axis;
}

/** Checks that the scale of the axis has a place for the number. */
function checkPlace(field: Field, axis: Axis, value: number): number {
  if (axis.scale === "log" && value <= 0) {
    field.fail(`${String(value)} is not above 0, which a log scale needs`);
  }
  if (axis.scale === "nines" && (value < 0 || value >= 1)) {
    field.fail(`${String(value)} is not a fraction from 0 to below 1, which scale nines needs`);
  }
  return value;
}

function readSeries(field: Field, x: Axis, y: Axis): Series {
  field.fields(["name", "kind", "data"], ["dashed"]);
  const name = field.get("name").text();
  const kind = field.get("kind").oneOf(KINDS);
  checkKind(field.get("kind"), kind, x, y);
  if (field.has("dashed") && kind !== "line") {
    field.get("dashed").fail("only for kind line");
  }
  const rows = field.get("data").list(1);
  if (kind === "span") {
    return { name, kind, data: rows.map((row) => readInterval(row, y, x)) };
  }
  if (kind === "range") {
    return { name, kind, data: rows.map((row) => readInterval(row, x, y)) };
  }
  const data = rows.map((row) => readPoint(row, x, y));
  if (kind === "line") {
    data.forEach(([at], i) => {
      if (i > 0 && at < (data[i - 1]?.[0] ?? at)) {
        rows[i]?.fail("x decreases, but a line goes from left to right");
      }
    });
  }
  return { name, kind, dashed: field.optionalFlag("dashed"), data };
}

/** Spans lie along x, one row for each category of y; no other kind has categories on y. */
function checkKind(field: Field, kind: Kind, x: Axis, y: Axis): void {
  if ((kind === "span") !== (y.scale === "category")) {
    field.fail(kind === "span" ? "a span needs a y of scale category" : "a y of scale category is only for kind span");
  }
  if (kind === "span" && x.scale === "category") {
    field.fail("a span needs an x with numbers");
  }
  if (kind === "bar" && x.scale !== "category") {
    field.fail("a bar needs an x of scale category");
  }
}

function readPoint(row: Field, x: Axis, y: Axis): [number, number | null] {
  const [at, value] = cells(row, 2);
  return [readAt(at, x), value.numberOrNull() === null ? null : checkPlace(value, y, value.number())];
}

function readInterval(row: Field, along: Axis, across: Axis): [number, number, number] {
  const [at, low, high] = cells(row, 3);
  const from = checkPlace(low, across, low.number());
  const to = checkPlace(high, across, high.number());
  return from <= to ? [readAt(at, along), from, to] : row.fail("the second number is above the third");
}

function cells(row: Field, count: number): [Field, Field, Field] {
  const [first, second, third, ...more] = row.list();
  const length = [first, second, third].filter((cell) => cell !== undefined).length + more.length;
  if (length !== count || first === undefined || second === undefined) {
    return row.fail(`${String(length)} numbers instead of ${String(count)}`);
  }
  return [first, second, third ?? second];
}

/** A place on the axis that the rows follow: an index, if it has categories. */
function readAt(field: Field, axis: Axis): number {
  const at = field.number();
  if (axis.scale === "category" && !(Number.isInteger(at) && at >= 0 && at < axis.labels.length)) {
    field.fail(`${String(at)} is not the index of a label`);
  }
  return checkPlace(field, axis, at);
}

function readBand(field: Field, x: Axis, y: Axis): Band {
  const side = field.fields(["axis", "from", "to"], ["label"]).get("axis").oneOf(["x", "y"]);
  const axis = side === "x" ? x : y;
  const from = checkPlace(field.get("from"), axis, field.get("from").number());
  const to = checkPlace(field.get("to"), axis, field.get("to").number());
  return from < to
    ? { axis: side, from, to, label: field.optionalText("label") }
    : field.get("to").fail("not above from");
}

function readLevel(field: Field, x: Axis, y: Axis): Level {
  const axis = field.fields(["axis", "at", "label"], []).get("axis").oneOf(["x", "y"]);
  const at = checkPlace(field.get("at"), axis === "x" ? x : y, field.get("at").number());
  return { axis, at, label: field.get("label").text() };
}

/** The rules that concern more than one field. */
function checkTogether(plot: Plot, field: Field): void {
  const items = field.get("series").list();
  plot.series.forEach((series, i) => {
    if (plot.series.findIndex((other) => other.name === series.name && other.kind === series.kind) < i) {
      items[i]?.get("name").fail("used twice by series of one kind");
    }
  });
  if (plot.y.scale === "nines") {
    field.get("y").get("scale").fail("scale nines is only for x");
  }
  if (new Set(plot.series.map((series) => series.name)).size > MAX_NAMES) {
    field.get("series").fail(`more than ${String(MAX_NAMES)} names`);
  }
  const shapes = plot.series.filter(({ kind }) => kind !== "line" && kind !== "points");
  if (shapes.reduce((sum, { data }) => sum + data.length, 0) > MOST_SHAPES) {
    field.get("series").fail(`more than ${String(MOST_SHAPES)} bars, ranges and spans`);
  }
  for (const notes of ["bands", "levels"] as const) {
    if (plot[notes].length > MOST_NOTES) {
      field.get(notes).fail(`more than ${String(MOST_NOTES)}`);
    }
  }
  if (plot.series.every((series) => series.data.every((row) => row[1] === null))) {
    field.get("series").fail("every y is null");
  }
}
