import { defineConfig } from "rolldown";

/** One file, because the lab starts it from a folder without node_modules. */
export default defineConfig({
  input: "src/plots.ts",
  platform: "node",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  output: { file: "target/dist/plots.js", format: "esm" },
});
