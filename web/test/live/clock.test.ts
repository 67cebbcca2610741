import { expect, it } from "vitest";
import { ServerClock } from "../../src/live/clock";

const AT = Date.parse("2026-01-02T03:04:05Z");
const header = (at: number) => new Date(at).toUTCString();

it("keeps the browser's time while it agrees with the server's within its whole seconds", () => {
  const clock = new ServerClock(() => AT + 700);
  clock.heard(header(AT));
  expect(clock.now()).toBe(AT + 700);
});

it("corrects a browser that is an hour late, and follows a server whose clock is set", () => {
  let local = AT - 3_600_000;
  const clock = new ServerClock(() => local);
  clock.heard(header(AT));
  expect(clock.now()).toBe(AT);
  local += 5000;
  expect(clock.now()).toBe(AT + 5000);
  clock.heard(header(AT + 60_000));
  expect(clock.now()).toBe(AT + 60_000);
});

it("ignores answers without a time", () => {
  const clock = new ServerClock(() => AT);
  clock.heard(null);
  clock.heard("yesterday");
  expect(clock.now()).toBe(AT);
});
