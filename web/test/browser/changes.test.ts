import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startChromium, Viewer } from "../chromium/viewer";
import { Servers } from "./servers";
import { apply, idle } from "./work";

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
  await idle(servers, "rides");
  viewer = await Viewer.open(browser);
});

afterEach(({ task }) => viewer.end(task));

/** Logs in by a link to this path. */
async function enter(path: string): Promise<void> {
  await viewer.goto(await servers.link(path));
  await viewer.page.waitForURL(servers.dc1 + path);
  await viewer.page.getByText("grace").first().waitFor();
}

function button(name: RegExp | string) {
  return viewer.page.getByRole("button", { name });
}

const inDialog = () => viewer.page.getByRole("dialog");

test("a link logs in once", async () => {
  const link = await servers.link("/clusters/rides");
  await viewer.goto(link);
  await viewer.page.waitForURL(`${servers.dc1}/clusters/rides`);
  const second = await Viewer.open(browser);
  await second.goto(link);
  await second.page.getByText("does not log in any more").waitFor();
  await second.close();
});

test("without a login everything can be read, and a change asks for one", async () => {
  await viewer.goto(`${servers.dc1}/clusters/rides?do=restart`);
  await viewer.page.getByText("A dry run needs a login").waitFor();
  await expect.poll(() => button(/^Restart/).count()).toBe(0);
  await viewer.page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
  await inDialog().getByLabel("Token").fill("wrong");
  await inDialog().getByLabel("Your name").fill("grace");
  await inDialog().getByLabel("Token").press("Enter");
  await inDialog().getByRole("alert").waitFor();
  await inDialog().getByLabel("Token").fill(servers.token);
  await inDialog().getByLabel("Token").press("Enter");
  await button(/^Restart: 3 nodes stop, one at a time/).waitFor();
});

test("a restart is the plan that was shown, and is followed to its end", async () => {
  await enter("/clusters/rides");
  await button(/Operations/).click();
  await viewer.page
    .getByRole("menuitem", { name: /^restart/ })
    .or(viewer.page.getByRole("link", { name: /^restart/ }))
    .first()
    .click();
  await button(/^Restart: 3 nodes stop, one at a time/).click();
  await viewer.page.waitForURL(/\/plans\/dc1-\d+/);
  await viewer.page.getByText("complete").first().waitFor();
  const audit = (await servers.api("GET", "audit")) as { items: { who: string; what: string }[] };
  expect(audit.items.filter((e) => e.what.includes("restart")).map((e) => e.who)).toContain("grace");
});

test("a plan that has changed since it was shown is shown again, not run", async () => {
  await enter("/clusters/rides?do=restart");
  await button(/^Restart: 3 nodes stop/).waitFor();
  await apply(servers, "rides", 3);
  const before = ((await servers.api("GET", "plans?cluster=rides")) as { items: unknown[] }).items.length;
  await button(/^Restart: 3 nodes stop/).click();
  await viewer.page.getByText("The plans changed since they were shown").waitFor();
  await viewer.page.getByText("dc1: restart: dc1 node-2").first().waitFor();
  expect(((await servers.api("GET", "plans?cluster=rides")) as { items: unknown[] }).items.length).toBe(before);
  await button(/^Restart: 4 nodes stop/).click();
  await viewer.page.waitForURL(/\/plans\/dc1-\d+/);
  await viewer.page.getByText("complete").first().waitFor();
});

test("what destroys data asks for the name", async () => {
  await enter("/clusters/rides?do=delete&destroy_data=true");
  const confirm = button(/^Delete/);
  await confirm.waitFor();
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await viewer.page.getByLabel(/Type rides to confirm/).fill("ride");
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await viewer.page.getByLabel(/Type rides to confirm/).fill("rides");
  await expect.poll(() => confirm.isDisabled()).toBe(false);
});

test("the next step of a finding opens its dialog", async () => {
  await servers.tell("lose dc1/machine-1");
  await enter("/clusters/rides");
  await viewer.page.getByRole("link", { name: /^node replace rides\/dc1\/node-0/ }).click();
  await viewer.page.getByRole("dialog").getByText("Replace").first().waitFor();
});
