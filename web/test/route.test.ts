import { describe, expect, it } from "vitest";
import { href, ownPath, parse, title } from "../src/route";

describe("routes", () => {
  it.each([
    ["/", { screen: "fleet" }],
    ["/machines", { screen: "machines" }],
    ["/plans/", { screen: "plans" }],
    ["/plans/dc1-7", { screen: "plan", plan: "dc1-7" }],
    ["/clusters/rides", { screen: "cluster", cluster: "rides" }],
    ["/clusters/rides/ring", { screen: "ring", cluster: "rides" }],
    ["/login", { screen: "login" }],
    ["/clusters", { screen: "unknown", path: "/clusters" }],
    ["/clusters/rides/other", { screen: "unknown", path: "/clusters/rides/other" }],
    ["/plans/%E0%A4%A", { screen: "unknown", path: "/plans/%E0%A4%A" }],
  ])("%s", (path, route) => {
    expect(parse(path)).toEqual(route);
  });

  it("has an address for each route, also for names with signs of a path", () => {
    for (const path of ["/", "/machines", "/plans/dc1-7", "/clusters/a%2Fb%3F", "/clusters/rides/ring"]) {
      expect(href(parse(path))).toBe(path);
    }
    expect(title(parse("/clusters/a%2Fb"))).toBe("a/b");
  });

  it("takes only paths of this page from a link", () => {
    expect(ownPath("/plans/dc1-7?do=retry")).toBe("/plans/dc1-7?do=retry");
    for (const foreign of [
      null,
      "",
      "plans",
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/\t/evil",
    ]) {
      expect(ownPath(foreign)).toBe("/");
    }
  });
});
