import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChromium, Viewer } from "../chromium/viewer";
import { Servers } from "./servers";
import { apply } from "./work";

let servers: Servers;
let browser: Browser;

beforeAll(async () => {
  [servers, browser] = await Promise.all([Servers.start(), startChromium()]);
});

afterAll(async () => {
  await browser.close();
  await servers.stop();
});

const LONG = "a".repeat(48);
const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> \u202Egnp.exe \u200F{{7*7}}";

test("text from outside is text, and the longest name fits", async () => {
  await apply(servers, LONG);
  await servers.api("PUT", `machines/dc1/machine-3/cordon?reason=${encodeURIComponent(HOSTILE)}`);
  await servers.api("POST", `clusters/${LONG}/operations/flush`, JSON.stringify({ why: HOSTILE }));
  for (const width of [390, 1280] as const) {
    const viewer = await Viewer.open(browser, { width, theme: "light" });
    for (const path of ["/", `/clusters/${LONG}`, `/clusters/${LONG}/ring`, "/plans", "/machines", "/plans/dc1-1"]) {
      await viewer.goto(servers.dc1 + path);
      await viewer.settle();
      await viewer.expectFits();
    }
    for (const path of ["/clusters/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/plans/%22onload=%22alert(1)"]) {
      await viewer.goto(servers.dc1 + path);
      await viewer.settle();
    }
    expect(viewer.troubles).toEqual([]);
    await expect.poll(() => viewer.page.locator("img[src=x]").count()).toBe(0);
    await viewer.close();
  }
});

test("a page of another origin can neither read nor change, nor show this one in a frame", async () => {
  const viewer = await Viewer.open(browser);
  await viewer.goto(await servers.link("/"));
  await viewer.page.waitForURL(servers.dc1 + "/");
  await viewer.page.goto(`${servers.dc2}/`);
  const outcome = await viewer.page.evaluate(async (other: string) => {
    const answers: string[] = [];
    for (const [method, path] of [
      ["GET", "clusters"],
      ["POST", "machines/what-if"],
      ["DELETE", "session"],
    ] as const) {
      try {
        const answer = await fetch(`${other}/api/v1/${path}`, { method, credentials: "include", mode: "no-cors" });
        answers.push(`${method} ${answer.type}`);
      } catch {
        answers.push(`${method} refused`);
      }
    }
    return answers;
  }, servers.dc1);
  expect(outcome.filter((o) => !/opaque|refused/.test(o))).toEqual([]);
  await viewer.close();
});
