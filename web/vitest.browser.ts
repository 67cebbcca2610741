import { basename } from "node:path";
import { defineConfig } from "vitest/config";

/** Tests in a real browser against real servers: one after another, because each file starts servers. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: [["default"], ["junit", { classnameTemplate: ({ filename }) => basename(filename, ".test.ts") }]],
  },
});
