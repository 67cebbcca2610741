import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOKS, startChromium, Viewer, type Look } from "../chromium/viewer";
import { Servers } from "./servers";
import { apply, restartPlan } from "./work";

const PICTURES = resolve(import.meta.dirname, "../../target/pictures");

let servers: Servers;
let browser: Browser;
let plan: string;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  [servers, browser] = await Promise.all([Servers.start(), startChromium()]);
  await apply(servers, "rides");
  plan = await restartPlan(servers, "rides");
});

afterAll(async () => {
  await browser.close();
  await servers.stop();
});

const SCREENS = [
  ["fleet", () => "/"],
  ["cluster", () => "/clusters/rides"],
  ["ring", () => "/clusters/rides/ring"],
  ["plan", () => `/plans/${plan}`],
  ["plans", () => "/plans"],
  ["machines", () => "/machines"],
  ["dialog", () => "/clusters/rides?do=restart"],
  ["login", () => "/login"],
  ["unknown", () => "/nowhere"],
] as const;

/** A new visitor for each look, as no screen may depend on another that was seen before. */
async function visit(path: string, look: Look, see: (viewer: Viewer) => Promise<void>): Promise<void> {
  const viewer = await Viewer.open(browser, look);
  try {
    await viewer.goto(servers.dc1 + path);
    await viewer.settle();
    await see(viewer);
    expect(viewer.troubles).toEqual([]);
  } finally {
    await viewer.close();
  }
}

describe.each(SCREENS)("%s", (name, path) => {
  test.each(LOOKS)("is complete, accessible and fits at $width in $theme", async (look) => {
    await visit(path(), look, async (viewer) => {
      await viewer.page.screenshot({ path: `${PICTURES}/${name}-${look.width}-${look.theme}.png`, fullPage: true });
      await viewer.expectAccessible();
      await viewer.expectFits();
    });
  });

  test("at 200 % zoom of a small window", async () => {
    // 640 CSS pixels are what a window of 1280 shows at 200 %
    await visit(path(), { width: 640, theme: "light" }, (viewer) => viewer.expectFits());
  });
});
