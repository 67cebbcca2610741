import { expect, it } from "vitest";
import { byText, sorted, type Orders } from "../../src/screens/sorting";

const orders: Orders<string> = { name: byText };

it("orders a list by the name of an order, and leaves it as it is for a name that it does not have", () => {
  const list = ["machine-10", "machine-9", "a"];
  expect(sorted(list, "name", orders)).toEqual(["a", "machine-9", "machine-10"]);
  expect(sorted(list, "-name", orders)).toEqual(["machine-10", "machine-9", "a"]);
  for (const unknown of ["", "-", "size", "toString", "__proto__"]) {
    expect(sorted(list, unknown, orders)).toEqual(list);
  }
});
