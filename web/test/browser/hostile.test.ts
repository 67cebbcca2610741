import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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

/** A page of another web site, with no policy that would hinder what it does. */
async function attacker(): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

test("a page of another origin can neither read nor change, nor show this one in a frame", async () => {
  const viewer = await Viewer.open(browser);
  const { page } = viewer;
  const { url, server } = await attacker();
  await viewer.goto(await servers.link("/"));
  await page.waitForURL(servers.dc1 + "/");
  await page.getByRole("button", { name: "Log out" }).waitFor();
  const key = await page.evaluate<string>("localStorage.getItem('ringmaster-session')");
  await page.goto(url);

  const ask = (method: string, path: string, init: RequestInit = {}) =>
    page.evaluate(
      ([to, how]) =>
        fetch(to, { credentials: "include", ...how }).then(
          (answer) => `${answer.type} ${answer.status}`,
          () => "refused",
        ),
      [`${servers.dc1}/api/v1/${path}`, { method, ...init }] as const,
    );
  expect(await ask("GET", "clusters")).toBe("refused");
  // both halves of the session: the browser adds the cookie, which belongs to every port of the host
  expect(await ask("DELETE", "session", { headers: { "Ringmaster-Session": key } })).toBe("refused");
  // what the browser does not hinder, the server refuses
  const halves = { Origin: new URL(url).origin, "Ringmaster-Session": key };
  const session = `${servers.dc1}/api/v1/session`;
  expect((await page.request.delete(session, { headers: halves })).status()).toBe(403);
  const still = await page.request.get(session, { headers: { "Ringmaster-Session": key } });
  expect(await still.json()).toMatchObject({ who: "grace" });

  await page.evaluate((framed) => {
    const frame = document.createElement("iframe");
    frame.src = framed;
    document.body.append(frame);
  }, servers.dc1);
  await expect.poll(() => page.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");

  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.evaluate((action) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action });
    document.body.append(form);
    form.submit();
  }, `${servers.dc1}/api/v1/machines/what-if`);
  expect((await posted).status()).toBe(403);
  await viewer.close();
  server.close();
});
