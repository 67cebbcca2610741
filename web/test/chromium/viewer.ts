import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { expect } from "vitest";

/** Debian's Chromium, without its requests to other hosts. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  });
}

export interface Look {
  width: 390 | 640 | 1280;
  theme: "light" | "dark";
}

export const LOOKS: readonly Look[] = [
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
  { width: 390, theme: "light" },
  { width: 390, theme: "dark" },
];

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** One person's browser, which notes everything that must never happen on the page. */
export class Viewer {
  /** Errors on the console, reports of the Content-Security-Policy, and requests to other origins. */
  readonly troubles: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
  ) {}

  static async open(browser: Browser, look: Look = { width: 1280, theme: "light" }): Promise<Viewer> {
    const context = await browser.newContext({
      viewport: { width: look.width, height: look.width === 390 ? 844 : 800 },
      colorScheme: look.theme,
      reducedMotion: "reduce",
      timezoneId: "UTC",
    });
    const viewer = new Viewer(await context.newPage(), context);
    viewer.listen(viewer.page);
    return viewer;
  }

  /** Another window of the same browser. */
  async window(): Promise<Page> {
    const page = await this.context.newPage();
    this.listen(page);
    return page;
  }

  private listen(page: Page): void {
    page.on("pageerror", (error) => this.troubles.push(`error: ${error.message}`));
    page.on("console", (message) => {
      // a refused or unanswered request is shown on the page; the browser writes it to the console in any case
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        this.troubles.push(`console: ${message.text()}`);
      }
    });
    page.on("request", (request) => {
      const here = new URL(page.url());
      const there = new URL(request.url());
      if (here.protocol === "http:" && there.host !== here.host && !request.isNavigationRequest()) {
        this.troubles.push(`request to another origin: ${request.url()}`);
      }
    });
  }

  /** Opens a screen and waits until it shows its heading. */
  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.locator("h1").first().waitFor();
  }

  /** Waits until everything on the screen is read; what is read shows as busy only after a moment. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await this.page.waitForTimeout(150);
      const busy = this.page.locator("[aria-busy=true]");
      if ((await busy.count()) > 0) {
        await busy.first().waitFor({ state: "detached" });
        quiet = 0;
      }
    }
  }

  /** Fails if axe finds a violation of WCAG 2.2 A or AA. */
  async expectAccessible(): Promise<void> {
    await this.page.evaluate(AXE);
    const result = (await this.page.evaluate(
      "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})",
    )) as AxeResult;
    const found = result.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html}\n  ${n.failureSummary}`));
    expect(found).toEqual([]);
  }

  /** Fails if the page is wider than the window. */
  async expectFits(): Promise<void> {
    const wide = (await this.page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    )) as number;
    expect(wide, "pixels beyond the window").toBeLessThanOrEqual(0);
  }

  /** Closes the browser; fails if anything happened that must not. After a failed test it prints what was shown. */
  async end(test: { result?: { state: string } }): Promise<void> {
    if (test.result?.state === "fail") {
      console.log(`shown at ${this.page.url()}:\n${await this.page.locator("body").innerText()}`);
    }
    await this.close();
    expect(this.troubles).toEqual([]);
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
