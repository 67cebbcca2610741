import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as formats from "../../src/words/formats";

/** The same inputs and outputs as the command line's, which reads the same file. */
const samples = JSON.parse(readFileSync("../api/samples/formats.json", "utf8")) as Record<
  string,
  (string | number)[][]
>;

const words: Record<string, (value: number, noun: string) => string> = {
  bytes: formats.bytes,
  elapsed: formats.duration,
  seconds: formats.seconds,
  clock: formats.clock,
  cores: formats.cores,
  percent: formats.percent,
  count: formats.count,
};

for (const [name, rows] of Object.entries(samples)) {
  test.each(rows)(`${name} of %s`, (value, ...rest) => {
    expect(words[name]?.(Number(value), String(rest[0]))).toBe(rest.at(-1));
  });
}

test("relative times look both ways", () => {
  expect(formats.relative("2026-01-02T03:04:05Z", Date.parse("2026-01-02T03:04:23Z"))).toBe("18 s ago");
  expect(formats.relative("2026-01-02T03:04:05Z", Date.parse("2026-01-02T03:06:10Z"))).toBe("2m05s ago");
  expect(formats.relative("2026-01-02T03:04:05Z", Date.parse("2026-01-02T03:04:01Z"))).toBe("in 4 s");
});
