import { describe, expect, it } from "vitest";
import {
  ApiProblem,
  failure,
  isUnauthorized,
  isUnknown,
  NoAnswer,
  thrown,
  type ProblemDetails,
} from "../../src/api/problem";

function details(status: number): ProblemDetails {
  const of = { code: "CLUSTER_UNKNOWN", message: "no cluster rides exists in this fleet" } as const;
  const about = { type: "about:blank", title: "unknown", instance: "/clusters/rides" };
  return { ...about, status, detail: of.message, code: of.code, problems: [of] };
}

describe("failures", () => {
  it("are the problem that the API names", () => {
    const problem = failure(404, details(404));
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem.message).toBe("no cluster rides exists in this fleet");
    expect([isUnknown(problem), isUnauthorized(problem)]).toEqual([true, false]);
    expect(isUnauthorized(failure(401, details(401)))).toBe(true);
  });

  it("are no answer when something else answers, or nothing", () => {
    expect(failure(502, "<html>Bad gateway</html>").message).toBe("the server answered with status 502");
    expect(thrown(new TypeError("Failed to fetch"))).toBeInstanceOf(NoAnswer);
    const problem = failure(404, details(404));
    expect(thrown(problem)).toBe(problem);
  });
});
