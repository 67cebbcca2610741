import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Ask, commandLine, curl, planCommand, requestable } from "../../src/words/command";
import type { OperationInfo, Param } from "../../src/words/model";
import { choices, field, given, missing, toggled } from "../../src/words/params";
import { cluster, nodes } from "../sample";

const operations = JSON.parse(readFileSync("../api/samples/operations.json", "utf8")) as OperationInfo[];
const COMMANDS = "../api/samples/commands.txt";

const status = cluster({ dc1: nodes("dc1", 4), dc2: nodes("dc2", 2) });
const TYPED: Partial<Record<Param["kind"], string>> = {
  ...{ NUMBER: "1", DURATION: "12h", TABLE: "by_rider" },
  ...{ LOCATION: "main", BACKUP: "20261124T040000Z-3f9c", RATE: "100MiB/s" },
};

/** A value as the form makes it: the first choices, or what a user types. */
function sample(param: Param): string {
  const all = choices(param, status);
  const value = param.kind === "FLAG" ? "true" : (TYPED[param.kind] ?? all[0] ?? "");
  return param.several === true && all[1] !== undefined ? `${all[0]},${all[1]}` : value;
}

function lines(): string[] {
  const asks = requestable(operations).flatMap((o): Ask[] => {
    const ask = { cluster: "rides", operation: o.name, why: "", allowSilentPeers: false };
    const required = Object.fromEntries(o.params.filter((p) => p.required).map((p) => [p.name, sample(p)]));
    const all = Object.fromEntries(o.params.map((p) => [p.name, sample(p)]));
    return [
      { ...ask, params: required },
      { ...ask, params: all, why: "anna's new kernel", allowSilentPeers: true },
    ];
  });
  const steered = (["pause", "resume", "retry", "abort"] as const).map((verb) => planCommand("dc1-7", verb, ""));
  return [
    ...asks.map(commandLine),
    ...steered,
    planCommand("dc1-7", "retry", "dc1 node-0"),
    planCommand("dc1-7", "force-complete", "dc1 node-0"),
  ];
}

// the command line's PageCommandsTest parses each of them; ACCEPT=true writes the file
test("every command line that a dialog shows is in api/samples/commands.txt", () => {
  const text = `${lines().join("\n")}\n`;
  if (process.env["ACCEPT"] === "true") {
    writeFileSync(COMMANDS, text);
  }
  expect(text).toBe(readFileSync(COMMANDS, "utf8"));
});

const ask: Ask = {
  cluster: "rides",
  operation: "restart",
  params: { rack: "r1" },
  why: "it's $x",
  allowSilentPeers: true,
};

test("a shell gets values as they are", () => {
  expect(commandLine(ask)).toBe(
    `./ringmaster cluster restart rides --rack r1 --why 'it'\\''s $x' --allow-silent-peers`,
  );
});

test("delete is the last of the operations to choose from", () => {
  const one = (name: string, more: Partial<OperationInfo> = {}) => ({ name, summary: "", params: [], ...more });
  const all = [one("delete"), one("deploy"), one("flush", { lockScope: "NODES" })];
  expect(requestable(all).map((o) => o.name)).toEqual(["flush", "delete"]);
});

test("curl reads the token from its file", () => {
  expect(curl(ask, "http://127.0.0.1:8080").split(" \\\n")).toEqual([
    `curl -X POST 'http://127.0.0.1:8080/api/v1/clusters/rides/operations/restart?allowSilentPeers=true'`.replaceAll(
      "'",
      '"',
    ),
    `  -H "Authorization: Bearer $(cat TOKEN_FILE)"`,
    `  -H 'Content-Type: application/json'`,
    `  -d '{"params":{"rack":"r1"},"why":"it'\\''s $x"}'`,
  ]);
  const deletion = { ...ask, operation: "delete", params: { destroy_data: "true" }, allowSilentPeers: false };
  expect(curl(deletion, "http://h")).toContain('curl -X DELETE "http://h/api/v1/clusters/rides?destroyData=true"');
});

test("the form knows the values of the cluster", () => {
  const param = (kind: Param["kind"], several = false): Param => ({
    ...{ name: "x", form: "X", required: true, help: "x" },
    ...{ kind, several },
  });
  expect(choices(param("RACK"), status)).toEqual(["r1", "r2", "r3"]);
  expect(choices(param("NODE"), status)[5]).toBe("dc2/node-1");
  expect(choices(param("MACHINE"), status)).toContain("dc2/machine-2");
  expect(field(param("RACK", true), ["r1"])).toBe("MANY");
  expect(field(param("NUMBER"), [])).toBe("TEXT");
  expect(toggled("r3", "r1", ["r1", "r2", "r3"])).toBe("r1,r3");
  expect(toggled("r1,r3", "r1", ["r1", "r2", "r3"])).toBe("r3");
  expect(given([param("RACK")], { x: "r1", other: "y" })).toEqual({ x: "r1" });
  expect(missing([param("RACK")], { x: "" })).toHaveLength(1);
});
