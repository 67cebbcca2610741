import svelte from "eslint-plugin-svelte";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["target/", "src/api/schema.d.ts"] },
  ...tseslint.configs.strict,
  ...svelte.configs.recommended,
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    rules: {
      // the Content-Security-Policy forbids both; text from outside is only ever text
      "svelte/no-at-html-tags": "error",
      "svelte/no-inline-styles": ["error", { allowTransitions: true }],
      "svelte/no-navigation-without-resolve": "off",
      "max-len": ["error", { code: 120, ignoreUrls: true }],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
);
