import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Page } from "playwright-core";
import { Played } from "./played";
import type { SceneName } from "./played/scenes";

/**
 * Pictures of every screen from played answers, and a run of axe on each. Prints what axe finds and what the browser
 * reports. `node -e "import('vite').then((v) => v.runnerImport('./test/pictures.ts'))"`, after a build; `ONLY=fleet`
 * takes the pictures whose name contains the text.
 */
const OUT = process.env.PICTURES ?? "target/pictures";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Shot {
  name: string;
  scene: SceneName;
  path: string;
  /** Before the page opens. */
  first?: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
}

const SHOTS: Shot[] = [
  { name: "fleet-troubled", scene: "troubled", path: "/" },
  { name: "fleet-silent", scene: "silent", path: "/" },
  { name: "fleet-empty", scene: "empty", path: "/" },
  { name: "cluster-healthy", scene: "healthy", path: "/clusters/rides" },
  { name: "cluster-busy", scene: "busy", path: "/clusters/rides" },
  { name: "cluster-troubled", scene: "troubled", path: "/clusters/rides" },
  { name: "cluster-deploying", scene: "deploying", path: "/clusters/rides" },
  { name: "cluster-silent", scene: "silent", path: "/clusters/rides" },
  { name: "cluster-menu", scene: "busy", path: "/clusters/rides", act: (p) => p.click("summary") },
  { name: "cluster-unknown", scene: "healthy", path: "/clusters/nothing" },
  {
    name: "cluster-hostile",
    scene: "troubled",
    path: "/clusters/a-cluster-whose-name-has-all-the-48-characters-x",
  },
  { name: "machines", scene: "troubled", path: "/machines" },
  { name: "machines-one", scene: "troubled", path: "/machines?machine=dc1/dc1-machine-2" },
  { name: "machines-table", scene: "healthy", path: "/machines?as=table" },
  { name: "fleet-sorted", scene: "troubled", path: "/?sort=-missing" },
  { name: "plans", scene: "troubled", path: "/plans" },
  { name: "login-bar", scene: "troubled", path: "/", act: (p) => p.getByRole("button", { name: "Log in" }).click() },
  {
    name: "not-live",
    scene: "busy",
    path: "/clusters/rides",
    first: (p) => p.route("**/events?**", (r) => r.abort()),
  },
  { name: "loading", scene: "busy", path: "/", first: (p) => p.route("**/clusters**", () => undefined) },
  {
    name: "error",
    scene: "busy",
    path: "/",
    first: (p) => p.route("**/clusters**", (r) => r.fulfill({ status: 502 })),
  },
  { name: "plan", scene: "busy", path: "/plans/dc1-7" },
  { name: "operation", scene: "busy", path: "/clusters/rides?do=restart", act: (p) => p.waitForTimeout(1500) },
  { name: "login", scene: "troubled", path: "/login?to=/plans#wrong" },
];

mkdirSync(OUT, { recursive: true });
const only = process.env.ONLY ?? "";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--headless"] });
try {
  for (const shot of SHOTS.filter((s) => s.name.includes(only))) {
    const played = await Played.start(shot.scene);
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: false });
        const page = await context.newPage();
        const name = `${shot.name}-${width}-${colorScheme}`;
        page.on("console", (m) => m.type() === "error" && !m.text().includes("40") && console.log(name, m.text()));
        page.on("pageerror", (e) => console.log(name, e.message));
        await shot.first?.(page);
        await page.goto(played.url + shot.path);
        await page.waitForTimeout(450);
        await shot.act?.(page);
        await page.waitForTimeout(100);
        await page.screenshot({ path: `${OUT}/${name}.png` });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wider > 0) {
          console.log(name, `is ${wider} px wider than the window`);
        }
        await page.evaluate(AXE);
        const found = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
        found.violations.forEach((v) => console.log(name, v.id, v.help, v.nodes.map((n) => n.target).slice(0, 3)));
        await context.close();
      }
    }
    played.stop();
  }
} finally {
  await browser.close();
}

interface Axe {
  run(): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>;
}
