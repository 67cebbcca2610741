import { expect, test } from "vitest";
import { href, pieces, target, wording } from "../../src/words/advice";

const advice = { text: "fix it, then {} or {} again", commands: ["plan retry dc1-7", "node logs rides/dc1/node-1"] };

test("the sentence has its commands in their places", () => {
  expect(wording(advice)).toBe(
    "fix it, then ./ringmaster plan retry dc1-7 or ./ringmaster node logs rides/dc1/node-1 again",
  );
});

test("a command that the page can do is a link, another one is to copy", () => {
  const [, retry, , logs] = pieces(advice);
  expect(retry).toEqual({ command: "plan retry dc1-7", target: { kind: "plan", plan: "dc1-7", verb: "retry" } });
  expect(logs).toEqual({ command: "node logs rides/dc1/node-1" });
});

test.each([
  ["node replace rides/dc1/node-1", "/clusters/rides?do=replace&node=dc1%2Fnode-1"],
  ["node replace rides/dc1/node-1 --beside-down true", "/clusters/rides?do=replace&beside_down=true&node=dc1%2Fnode-1"],
  ["cluster start rides", "/clusters/rides?do=start"],
  ["repair start rides --within-datacenter true", "/clusters/rides?do=repair&within_datacenter=true"],
  ["plan show dc1-7", "/plans/dc1-7"],
  ['plan force-complete dc1-9 --step "dc1 node-0"', "/plans/dc1-9?do=force-complete&step=dc1+node-0"],
  ["operation status rides", "/clusters/rides"],
  ["node list rides", "/clusters/rides"],
  ["machine list", "/machines"],
  ["plan list", "/plans"],
  ["cluster list", "/"],
])("%s is %s", (line, expected) => {
  const to = target(line);
  expect(to && href(to)).toBe(expected);
});

test.each(["cluster apply -f rides.yaml", "plan retry rides", "server status", "cluster delete rides"])(
  "%s is to copy",
  (line) => {
    expect(target(line)).toBeUndefined();
  },
);
