import { beforeEach, expect, test, vi } from "vitest";
import { ApiProblem, type ProblemDetails } from "../../src/api/problem";
import { planOf, send, type Draft } from "../../src/screens/operation/request";
import { Trial } from "../../src/screens/operation/trial.svelte";
import type { Ask } from "../../src/words/command";
import { plan, step } from "../sample";

vi.mock("../../src/screens/operation/request", () => ({ send: vi.fn(), planOf: vi.fn() }));

const ask: Ask = { cluster: "rides", operation: "restart", params: {}, why: "", allowSilentPeers: false };

function draft(digest: string, ...names: string[]): Draft {
  const plans = [plan("dc1-0", { restart: names.map((name) => step(name)) })];
  return { plans, unanswered: [], digest, impact: undefined, request: undefined };
}

function refusal(code: ProblemDetails["code"], field?: string): ApiProblem {
  const problem = { code, message: "refused", ...(field === undefined ? {} : { field }) };
  return new ApiProblem({
    ...{ type: "urn:x", title: "x", status: 409, detail: "refused", instance: "/", code },
    problems: [problem],
  });
}

beforeEach(() => {
  vi.mocked(send).mockReset();
  vi.mocked(planOf).mockReset();
});

test("an answer to an older form is not shown", async () => {
  vi.mocked(send).mockResolvedValueOnce(draft("old", "node-0"));
  const trial = new Trial();
  const running = trial.run(ask);
  trial.changed();
  await running;
  expect([trial.draft, trial.stale]).toEqual([undefined, true]);
});

test("the confirmed plans are those that were shown", async () => {
  vi.mocked(send).mockResolvedValue(draft("aa", "node-0"));
  vi.mocked(planOf).mockResolvedValue("dc1-7");
  const trial = new Trial();
  await trial.run(ask);
  expect(await trial.confirm(ask)).toBe("/plans/dc1-7");
  expect(send).toHaveBeenLastCalledWith(ask, false, "aa");
});

test("a request without a plan yet leads to its cluster", async () => {
  vi.mocked(send).mockResolvedValue(draft("aa"));
  vi.mocked(planOf).mockResolvedValue(undefined);
  const trial = new Trial();
  await trial.run(ask);
  expect(await trial.confirm(ask)).toBe("/clusters/rides");
});

test("plans that changed are shown again with what differs", async () => {
  vi.mocked(send)
    .mockResolvedValueOnce(draft("aa", "node-0"))
    .mockRejectedValueOnce(refusal("PLAN_CHANGED"))
    .mockResolvedValueOnce(draft("bb", "node-0", "node-1"));
  const trial = new Trial();
  await trial.run(ask);
  expect(await trial.confirm(ask)).toBeUndefined();
  expect(trial.draft?.digest).toBe("bb");
  expect(trial.changes).toEqual({ gone: [], added: ["dc1: restart: node-1"] });
  expect([trial.problem, trial.sending]).toEqual([undefined, false]);
});

test("a refusal keeps the plans that are shown", async () => {
  vi.mocked(send).mockResolvedValueOnce(draft("aa", "node-0")).mockRejectedValueOnce(refusal("UNAUTHORIZED"));
  const trial = new Trial();
  await trial.run(ask);
  expect(await trial.confirm(ask)).toBeUndefined();
  expect(trial.draft?.digest).toBe("aa");
  expect(trial.problem?.message).toBe("refused");
});

test("a refused dry run names its parameter, and whether a datacenter is silent", async () => {
  vi.mocked(send).mockRejectedValueOnce(refusal("REQUEST_INVALID", "rack"));
  const trial = new Trial();
  await trial.run(ask);
  expect([trial.draft, trial.ofParam("rack"), trial.ofParam("node")]).toEqual([undefined, "refused", undefined]);
  expect(trial.silentPeer).toBe(false);
  vi.mocked(send).mockRejectedValueOnce(refusal("PEER_UNREACHABLE"));
  await trial.run(ask);
  expect(trial.silentPeer).toBe(true);
});

test("what is refused or has nothing to do is asked again, what is shown or was sent is not", async () => {
  const trial = new Trial();
  const again: boolean[] = [];
  for (const answer of [draft("aa", "node-0"), { ...draft("bb"), plans: [] }]) {
    vi.mocked(send).mockResolvedValueOnce(answer);
    await trial.run(ask);
    again.push(trial.refusedRun);
  }
  vi.mocked(send).mockRejectedValueOnce(refusal("PEER_UNREACHABLE"));
  await trial.run(ask);
  again.push(trial.refusedRun);
  vi.mocked(send).mockResolvedValueOnce(draft("aa", "node-0")).mockRejectedValueOnce(new Error("no answer"));
  await trial.run(ask);
  await trial.confirm(ask);
  again.push(trial.refusedRun);
  expect(again).toEqual([false, true, true, false]);
});

test("a dry run that takes longer than changes are apart is answered, and asked once more afterwards", async () => {
  const trial = new Trial();
  vi.mocked(send).mockRejectedValueOnce(refusal("PEER_UNREACHABLE"));
  await trial.run(ask);
  let answer: (d: Draft) => void = () => undefined;
  vi.mocked(send).mockReturnValueOnce(new Promise((given) => (answer = given)));
  const first = trial.again(ask);
  await trial.again(ask);
  await trial.again(ask);
  expect(send).toHaveBeenCalledTimes(2);
  vi.mocked(send).mockResolvedValueOnce(draft("bb", "node-0"));
  answer({ ...draft("aa"), plans: [] });
  await first;
  expect(send).toHaveBeenCalledTimes(3);
  expect(trial.draft?.digest).toBe("bb");
  await trial.again(ask);
  expect(send).toHaveBeenCalledTimes(3);
});
