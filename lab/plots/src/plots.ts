import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toSvg } from "./chart.js";
import { SpecError } from "./field.js";
import { readSpec } from "./read.js";

const BAD_INPUT = 2;

/** Writes one SVG for each plot. All are drawn before the first is written, so that bad input writes nothing. */
function main(args: readonly string[]): number {
  const [specFile, folder, ...more] = args;
  if (specFile === undefined || folder === undefined || more.length > 0) {
    return refuse("usage: node plots.js SPEC.json OUT_DIR");
  }
  try {
    const pictures = readSpec(readText(specFile)).map((plot) => ({ file: `${plot.name}.svg`, svg: toSvg(plot) }));
    mkdirSync(folder, { recursive: true });
    for (const { file, svg } of pictures) {
      writeFileSync(join(folder, file), svg);
    }
    return 0;
  } catch (e) {
    if (e instanceof SpecError) {
      return refuse(`plots: ${specFile}: ${e.message}`);
    }
    throw e;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (e) {
    throw new SpecError(`cannot be read: ${e instanceof Error ? e.message : String(e)}`);
  }
}

function refuse(message: string): number {
  process.stderr.write(`${message.replaceAll("\n", " ")}\n`);
  return BAD_INPUT;
}

process.exitCode = main(process.argv.slice(2));
