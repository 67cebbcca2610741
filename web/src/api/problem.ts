import type { components } from "./schema";

export type ProblemDetails = components["schemas"]["ProblemDetails"];

/** A refusal of the API, as `application/problem+json` has it. */
export class ApiProblem extends Error {
  constructor(readonly details: ProblemDetails) {
    super(details.detail);
    this.name = "ApiProblem";
  }

  get status(): number {
    return this.details.status;
  }
}

/** No answer, or one that is not of the API, such as that of a proxy. */
export class NoAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoAnswer";
  }
}

export type Failure = ApiProblem | NoAnswer;

/** The failure that an answer other than 2xx stands for. */
export function failure(status: number, body: unknown): Failure {
  return isProblem(body) ? new ApiProblem(body) : new NoAnswer(`the server answered with status ${status}`);
}

/** The failure that a thrown value stands for: `fetch` throws a TypeError when there is no connection. */
export function thrown(error: unknown): Failure {
  if (error instanceof ApiProblem || error instanceof NoAnswer) {
    return error;
  }
  return new NoAnswer("the server does not answer");
}

export function isUnauthorized(problem: Failure | undefined): boolean {
  return problem instanceof ApiProblem && problem.status === 401;
}

export function isUnknown(problem: Failure | undefined): boolean {
  return problem instanceof ApiProblem && problem.status === 404;
}

function isProblem(body: unknown): body is ProblemDetails {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body && "problems" in body;
}
