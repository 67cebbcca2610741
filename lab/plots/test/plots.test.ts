import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { toSvg } from "../src/chart.js";
import { readSpec } from "../src/read.js";
import { eightLong, SAMPLES } from "./samples.js";
import { checkXml } from "./xml.js";

/** The file that ./dev build makes. */
const PROGRAM = fileURLToPath(new URL("../../dist/plots.js", import.meta.url));
const LARGEST = 60_000;

function draw(plot: unknown): string {
  const [read] = readSpec(JSON.stringify({ plots: [plot] }));
  assert.ok(read);
  return toSvg(read);
}

function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] ?? "");
}

describe("plots", () => {
  for (const [kind, plot] of Object.entries(SAMPLES)) {
    it(`draws ${kind}`, () => {
      const svg = draw(plot);
      checkXml(svg);
      assert.match(svg, /^<svg width="760" height="420"[^>]*viewBox="0 0 760 420">\n<rect width="760" height="420"/);
      assert.ok(svg.length < LARGEST, `${String(svg.length)} bytes`);
      for (const text of [plot.title, ...plot.series.map(({ name }) => name), ...plot.shown]) {
        assert.ok(textsOf(svg).includes(text), `no '${text}' in ${textsOf(svg).join(" | ")}`);
      }
      assert.doesNotMatch(svg, /NaN|undefined|<style|class=|ecmeta/);
    });
  }

  it("draws the same bytes whatever was drawn before", () => {
    const plots = Object.values(SAMPLES);
    const before = plots.map((plot) => draw(plot));
    const again = plots.toReversed().map((plot) => draw(plot));
    assert.deepEqual(again.toReversed(), before);
  });

  it("breaks a line at null", () => {
    const colour = 'stroke="#0072B2"';
    const line = draw(SAMPLES.line)
      .split("\n")
      .find((row) => row.startsWith("<path") && row.includes(colour) && row.includes("stroke-linejoin"));
    assert.equal(line?.match(/M/g)?.length, 2);
  });

  it("escapes texts", () => {
    const svg = draw({ ...SAMPLES.bar, title: `p99 < 5 ms & "more" <script>` });
    checkXml(svg);
    assert.match(svg, /p99 &lt; 5 ms &amp; /);
  });

  for (const kind of ["line", "points"] as const) {
    it(`keeps eight series of 5,000 points small: ${kind}`, () => {
      const svg = draw(eightLong(kind, 5_000));
      checkXml(svg);
      assert.ok(svg.length < LARGEST, `${String(svg.length)} bytes`);
    });
  }

  it("keeps 500 ranges and 100 bands small", () => {
    const data = Array.from({ length: 500 }, (_, i) => [i / 7, i / 3, i / 2]);
    const bands = data.slice(0, 100).map(([from = 0]) => ({ axis: "x", from, to: from + 0.05, label: "stalled" }));
    const svg = draw({ ...SAMPLES.points, series: [{ name: "a", kind: "range", data }], bands });
    assert.ok(svg.length < LARGEST, `${String(svg.length)} bytes`);
  });
});

describe("the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "plots-"));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function run(spec: string, out: string): { code: number | null; error: string } {
    const file = join(folder, "spec.json");
    writeFileSync(file, spec);
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, file, out], { encoding: "utf8" });
    return { code: status, error: stderr };
  }

  it("writes one file for each plot", () => {
    const out = join(folder, "new", "out");
    const plots = Object.values(SAMPLES);
    assert.deepEqual(run(JSON.stringify({ plots }), out), { code: 0, error: "" });
    assert.deepEqual(readdirSync(out), plots.map(({ name }) => `${name}.svg`).sort());
    assert.equal(readFileSync(join(out, "bar.svg"), "utf8"), draw(plots.find(({ name }) => name === "bar")));
  });

  it("ends with 2 and one line, and writes nothing, if one plot of two is bad", () => {
    const out = join(folder, "refused");
    const good = SAMPLES.bar;
    const { code, error } = run(JSON.stringify({ plots: [good, { ...good, name: "b", color: "red" }] }), out);
    assert.equal(code, 2);
    assert.match(error, /^plots: \S+spec.json: plot 'b': color: unknown field -> known are [^\n]+\n$/);
    assert.ok(!existsSync(out));
  });

  it("refuses a file with a bare NaN or none at all", () => {
    assert.match(run('{"plots": [{"name": NaN}]}', folder).error, /^plots: \S+: not JSON: [^\n]+\n$/);
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, join(folder, "none"), folder], {
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.match(stderr, /^plots: \S+: cannot be read: [^\n]+\n$/);
  });
});
