import { svelte } from "@sveltejs/vite-plugin-svelte";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";

/** The built page goes into the server's jar, below `web/`. */
const OUTPUT = "target/dist/web";

/** The server of `./dev web serve`: a playground's first one, unless the environment names another. */
const SERVER = process.env.RINGMASTER_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [svelte()],
  // tests run the browser's half of Svelte
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  server: { host: "127.0.0.1", proxy: { "/api": SERVER } },
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: "es2022",
    // the Content-Security-Policy admits neither data: URLs nor inline scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/story/**"],
    reporters: [["default"], ["junit", { classnameTemplate: ({ filename }) => basename(filename, ".test.ts") }]],
  },
});
