import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startChromium, Viewer } from "../chromium/viewer";
import { Servers } from "./servers";
import { apply } from "./work";

let servers: Servers;
let browser: Browser;
let viewer: Viewer;

beforeAll(async () => {
  [servers, browser] = await Promise.all([Servers.start(), startChromium()]);
  await apply(servers, "rides");
});

afterAll(async () => {
  await browser.close();
  await servers.stop();
});

beforeEach(async () => {
  viewer = await Viewer.open(browser);
});

afterEach(({ task }) => viewer.end(task));

const state = () => viewer.page.getByRole("banner");
const live = () => state().getByText("live", { exact: true }).first();

test("what happens in another datacenter is seen at once", async () => {
  await viewer.goto(`${servers.dc1}/clusters/rides`);
  await live().waitFor();
  await servers.tell("fail dc2/node-0");
  await viewer.page
    .getByText(/DEGRADED|DOWN/)
    .first()
    .waitFor();
  await servers.tell("recover dc2/node-0");
  await viewer.page.getByText("HEALTHY").first().waitFor();
});

test("eight windows of a browser are live, also when the one that reads the stream is closed", async () => {
  const first = await viewer.window();
  await first.goto(`${servers.dc1}/clusters/rides`);
  const windows = [viewer.page, ...(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => viewer.window())))];
  for (const window of windows) {
    await window.goto(`${servers.dc1}/clusters/rides`);
    await window.getByRole("banner").getByText("live", { exact: true }).first().waitFor();
  }
  await first.close();
  await servers.tell("fail dc2/node-0");
  for (const window of windows) {
    await window
      .getByText(/DEGRADED|DOWN/)
      .first()
      .waitFor();
  }
  await servers.tell("recover dc2/node-0");
  for (const window of windows) {
    await window.getByText("HEALTHY").first().waitFor();
  }
});

test("a silent datacenter is shown with its last report", async () => {
  await viewer.goto(`${servers.dc1}/clusters/rides`);
  await servers.tell("stop dc2");
  await state()
    .getByText(/dc2.*silent/)
    .waitFor();
  await viewer.page
    .getByText(/as reported \d\d:\d\d:\d\d/)
    .first()
    .waitFor();
  await servers.tell("start dc2");
  await state()
    .getByText(/silent/)
    .waitFor({ state: "detached" });
});

test("a server that is gone is said, what was read stays, and it returns", async () => {
  await viewer.goto(await servers.link("/clusters/rides"));
  await viewer.page.getByText("HEALTHY").first().waitFor();
  await servers.tell("stop dc1");
  await state()
    .getByText(/not live since/)
    .waitFor();
  await expect.poll(() => viewer.page.getByText("node-1").count()).toBeGreaterThan(0);
  await viewer.page
    .getByTitle(/^not live: changes are off/)
    .first()
    .waitFor();
  await servers.tell("start dc1");
  await live().waitFor();
});

test("a standby shows the same, and changes it under the name of its login", async () => {
  const { url } = await servers.tell("standby dc1");
  await viewer.goto(`${url}/login?to=${encodeURIComponent("/clusters/rides?do=flush")}`);
  await viewer.page.getByLabel("Token").fill(servers.token);
  await viewer.page.getByLabel("Your name").fill("hopper");
  await viewer.page.getByLabel("Token").press("Enter");
  await viewer.page.getByRole("button", { name: "Flush" }).click();
  await viewer.page.waitForURL(/\/plans\/dc1-\d+/);
  await viewer.page.getByText("complete").first().waitFor();
  const audit = (await servers.api("GET", "audit")) as { items: { who: string; what: string }[] };
  expect(audit.items.filter((e) => e.what.includes("flush")).map((e) => e.who)).toContain("hopper");
  await live().waitFor();
});
