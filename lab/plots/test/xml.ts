import assert from "node:assert/strict";

const NAME = "[A-Za-z][\\w:-]*";
const TOKEN = new RegExp(`<(/?)(${NAME})((?: ${NAME}="[^"<]*")*) ?(/?)>|([^<]+)`, "y");

/** Fails if the text is not well-formed XML of elements, attributes and texts. */
export function checkXml(xml: string): void {
  const open: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(xml);
    assert.ok(match, `not XML: ${xml.slice(at, at + 80)}`);
    const [whole, closing, name = "", attributes = "", empty, text] = match;
    assert.doesNotMatch(whole, /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/);
    const names = [...attributes.matchAll(new RegExp(` (${NAME})="`, "g"))].map((attribute) => attribute[1]);
    assert.equal(new Set(names).size, names.length, `an attribute twice: ${whole}`);
    if (text !== undefined) {
      assert.ok(open.length > 0 || text.trim() === "", `outside the root: ${text}`);
    } else if (closing === "/") {
      assert.equal(open.pop(), name);
    } else if (empty !== "/") {
      open.push(name);
    }
  }
  assert.deepEqual(open, []);
}
