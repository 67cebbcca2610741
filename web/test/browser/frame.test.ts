import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startChromium, Viewer, type Look } from "../chromium/viewer";
import { Played, RIGHT } from "../played";
import type { SceneName } from "../played/scenes";

/** The frame of the page, against played answers: what no real server does on demand. */
let browser: Browser;
let played: Played;
let viewer: Viewer;

beforeAll(async () => {
  browser = await startChromium();
});

afterEach(async ({ task }) => {
  played.stop();
  await viewer.end(task);
});

afterAll(() => browser.close());

/** The page reads everything again every 15 s: without that, only an event leads to a read. */
const ONLY_EVENTS = "const every = setInterval; setInterval = (f, ms) => (ms >= 15_000 ? 0 : every(f, ms));";

async function open(scene: SceneName, path: string, look?: Look) {
  played = await Played.start(scene);
  viewer = await Viewer.open(browser, look);
  await viewer.page.addInitScript(ONLY_EVENTS);
  await viewer.goto(played.url + path);
  await viewer.settle();
  return viewer.page;
}

const focused = "document.activeElement?.tagName";

test("a link moves the focus to the heading, and the browser's back button returns", async () => {
  const page = await open("healthy", "/?filter=rides");
  await page.locator("a.row").first().click();
  await page.waitForURL("**/clusters/rides");
  await page.locator("h1", { hasText: "rides" }).waitFor();
  await expect.poll(() => page.evaluate(focused)).toBe("H1");
  await expect.poll(() => page.title()).toBe("rides - Ringmaster");
  await page.goBack();
  await page.locator("h1", { hasText: "Fleet" }).waitFor();
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("rides");
});

test("the key / leads into the filter, which lives in the address; Escape clears it", async () => {
  const page = await open("healthy", "/");
  await page.keyboard.press("/");
  await page.keyboard.type("pay");
  await page.waitForURL(/\?filter=pay$/);
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await expect.poll(() => page.locator("tbody tr").count()).toBe(6);
});

test("a link of `ringmaster web` logs in, and its code leaves the address", async () => {
  const page = await open("troubled", `/login?to=/plans#${RIGHT}`);
  await page.waitForURL("**/plans");
  await page.getByRole("button", { name: "Log out" }).waitFor();
  await expect.poll(() => page.evaluate("localStorage.getItem('ringmaster-session')")).toBe("half");
  await expect.poll(() => page.evaluate("history.length")).toBe(2);
});

test("a link that was used says how to get another one", async () => {
  const page = await open("troubled", "/login?to=//evil.example#used");
  await page.getByRole("alert").getByText("the code was used, or has expired").waitFor();
  expect(page.url()).not.toContain("#");
  await page.getByLabel("Token").fill(RIGHT);
  await page.getByLabel("Your name").fill("bea");
  await page.getByRole("button", { name: "Log in", exact: true }).last().click();
  await page.locator("h1", { hasText: "Fleet" }).waitFor();
  await expect.poll(() => new URL(page.url()).host).toBe(new URL(played.url).host);
});

test("a change without a session asks for a login and keeps what was typed", async () => {
  const page = await open("healthy", "/machines?machine=dc1/dc1-machine-1");
  await page.getByLabel("Reason").fill("new kernel");
  played.forget();
  await page.getByRole("button", { name: "Cordon" }).click();
  await page.getByLabel("Token").fill(RIGHT);
  await page.getByLabel("Your name").fill("bea");
  await page.getByLabel("log in").getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Token").waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("new kernel");
  await page.getByRole("button", { name: "Cordon" }).click();
  await expect.poll(() => played.changes).toHaveLength(1);
  expect(played.changes[0]).toBe("PUT /api/v1/machines/dc1/dc1-machine-1/cordon?reason=new kernel by bea");
});

test("the skip link moves the focus into the content", async () => {
  const page = await open("healthy", "/?filter=rides");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(focused)).toBe("MAIN");
  expect(new URL(page.url()).search).toBe("?filter=rides");
});

test("the focus stays at the heading when a plan has loaded, and after it was steered", async () => {
  const page = await open("busy", "/plans");
  await page.locator("a.row").first().click();
  await page.waitForURL(/\/plans\/dc1-7/);
  await page.getByText("asked by").waitFor();
  await expect.poll(() => page.evaluate(focused)).toBe("H1");
  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Abort");
  await page.getByRole("button", { name: "Abort" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Abort/ })
    .click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(focused)).toBe("H1");
});

test("another operation in the address is another dialog", async () => {
  const page = await open("busy", "/clusters/rides?do=restart");
  await page.getByRole("dialog").locator("h2", { hasText: "Restart" }).waitFor();
  await page.evaluate(`(() => {
    const link = document.createElement("a");
    link.href = "/clusters/rides?do=flush&node=dc1/node-1";
    document.querySelector("dialog form").append(link);
    link.click();
  })()`);
  await page.getByRole("dialog").locator("h2", { hasText: "Flush" }).waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
});

test("the shares of a ring fit on a phone, each name on one line", async () => {
  const page = await open("healthy", "/clusters/rides/ring", { width: 390, theme: "light" });
  await viewer.expectFits();
  const cells = page.getByRole("row").getByText(/^node-/);
  await cells.first().waitFor();
  const heights = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(40);
});

test("an event shows a change at once", async () => {
  const page = await open("healthy", "/");
  await page.getByText("All 6 clusters are well.").waitFor();
  const rides = played.scene.clusters[0];
  if (rides !== undefined) {
    rides.condition = "FAILED";
  }
  played.event({ id: "a-7", at: "2026-01-02T03:04:05Z", type: "CLUSTER", subject: "rides", text: "" });
  await page.getByText("5 of 6 clusters are well, 1 waits for you.").waitFor();
});

test("a lost stream turns changes off, keeps what was read, and continues after the last event", async () => {
  const page = await open("healthy", "/machines?machine=dc1/dc1-machine-1");
  const last = played.scene.machines.at(-1);
  if (last !== undefined) {
    last.machine.cordoned = true;
  }
  played.event({ id: "a-7", at: "2026-01-02T03:04:05Z", type: "POOL", subject: "dc2", text: "" });
  await page.getByText("1 cordoned").waitFor();
  played.away = true;
  played.cut();
  await page.getByText("not live since").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Cordon" }).isDisabled()).toBe(true);
  await expect.poll(() => page.getByText("24 machines").count()).toBe(2);
  if (last !== undefined) {
    last.machine.cordoned = false;
  }
  played.away = false;
  await page.getByText("not live since").waitFor({ state: "detached" });
  await page.getByText("1 cordoned").waitFor({ state: "detached" });
  expect(played.lastEventIds).toEqual([undefined, "a-7"]);
  await expect.poll(() => page.getByRole("button", { name: "Cordon" }).isDisabled()).toBe(false);
});

test("hostile text is only text, and long names fit", async () => {
  const name = "a-cluster-whose-name-has-all-the-48-characters-x";
  const page = await open("troubled", `/clusters/${name}`, { width: 390, theme: "light" });
  await page.getByText("<img src=x onerror=alert(1)>").waitFor();
  await viewer.expectFits();
});

test("the menu of operations is used by the keyboard alone", async () => {
  const page = await open("busy", "/clusters/rides");
  await page.getByRole("button", { name: "Operations" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: /^restart/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("repair");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Operations");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: /^restart/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?do=restart");
});
