import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChromium, Viewer } from "../chromium/viewer";

const ROOT = resolve(import.meta.dirname, "../../..");
const HOME = mkdtempSync(join(tmpdir(), "ringmaster-page-"));
const ENVIRONMENT = { ...process.env, RINGMASTER_HOME: HOME };

/** Real Cassandra on two busy cores. */
const START_MS = 240_000;
const CHANGE_MS = 300_000;

let playground: ChildProcess;
let browser: Browser;
let viewer: Viewer;
const lines: string[] = [];

/** The first line of the playground that matches, also one to come. */
async function line(pattern: RegExp): Promise<RegExpMatchArray> {
  const end = Date.now() + START_MS;
  for (;;) {
    const found = lines.map((l) => pattern.exec(l)).find((m) => m !== null);
    if (found !== undefined) {
      return found;
    }
    if (Date.now() > end || playground.exitCode !== null) {
      throw new Error(`no ${pattern}:\n${lines.join("\n")}`);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

function ringmaster(...words: string[]): string {
  return execFileSync(`${ROOT}/ringmaster`, words, { env: ENVIRONMENT, encoding: "utf8" });
}

beforeAll(async () => {
  playground = spawn(`${ROOT}/ringmaster`, ["playground", "--no-tls", "--nodes", "2", "--spare-machines", "1"], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const output of [playground.stdout, playground.stderr]) {
    if (output !== null) {
      createInterface({ input: output }).on("line", (l) => lines.push(l));
    }
  }
  browser = await startChromium();
  viewer = await Viewer.open(browser);
});

afterAll(async () => {
  ringmaster("playground", "down");
  await browser.close();
  rmSync(HOME, { recursive: true, force: true });
});

test("a first deploy is watched live, before anybody has logged in", { timeout: START_MS }, async () => {
  const [, address] = await line(/dc1 +server (127\.0\.0\.1:\d+)/);
  await viewer.goto(`http://${address}/`);
  await viewer.page.getByText("CREATING").first().waitFor({ timeout: START_MS });
  await viewer.page.getByRole("link", { name: "rides" }).first().click();
  await viewer.page
    .getByText(/JOINING|STARTING/)
    .first()
    .waitFor({ timeout: START_MS });
  await viewer.page.getByText("HEALTHY").first().waitFor({ timeout: START_MS });
  await viewer.page.getByText("2 of 2 nodes NORMAL").nth(1).waitFor();
});

test(
  "the link of the last screen logs in, and a rolling restart is followed to its end",
  { timeout: CHANGE_MS },
  async () => {
    const [link] = await line(/http:\S+\/login#[\w-]+/);
    await viewer.goto(link);
    await viewer.page.getByRole("link", { name: "rides" }).first().click();
    await viewer.page.getByRole("button", { name: /Operations/ }).click();
    await viewer.page.getByRole("menuitem", { name: /^restart/ }).click();
    await viewer.page.getByRole("button", { name: "Restart: 4 nodes stop, one at a time" }).click();
    await viewer.page.waitForURL(/\/plans\/dc\d-\d+/);
    await viewer.page
      .locator("h1")
      .getByText("complete")
      .or(viewer.page.getByText("4 of 4 steps"))
      .first()
      .waitFor({ timeout: CHANGE_MS });
  },
);

test("a killed machine is replaced from the button of the finding", { timeout: 2 * CHANGE_MS }, async () => {
  // the spare machine is in the same rack
  ringmaster("playground", "kill", "machine-1");
  await viewer.page.getByRole("link", { name: "rides" }).first().click();
  await viewer.page
    .getByRole("link", { name: /^node replace rides\/dc\d\/node-\d/ })
    .first()
    .click({ timeout: CHANGE_MS });
  // the dry run is refused until the other nodes have noticed that it is gone, and is asked again by the page
  await viewer.page.getByLabel("I know that this cannot be undone").check({ timeout: CHANGE_MS });
  await viewer.page.getByRole("button", { name: /^Replace/ }).click({ timeout: CHANGE_MS });
  await viewer.page.waitForURL(/\/plans\/dc\d-\d+/);
  await viewer.page.getByText("complete").first().waitFor({ timeout: CHANGE_MS });
  expect(viewer.troubles).toEqual([]);
});
