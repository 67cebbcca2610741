import createClient, { type Middleware } from "openapi-fetch";
import { clock } from "../live/clock";
import { failure, thrown } from "./problem";
import type { paths } from "./schema";
import { session } from "./session.svelte";

/** The API is served by the origin of the page, and by no other. */
export const API = "/api/v1";

/** The header of the page's half of a session; the cookie is the other. */
export const SESSION_HEADER = "Ringmaster-Session";

/** 401 opens the login bar, and what was typed stays where it is. */
const door: Middleware = {
  onRequest({ request }) {
    if (session.key !== undefined) {
      request.headers.set(SESSION_HEADER, session.key);
    }
    return request;
  },
  onResponse({ request, response }) {
    clock.heard(response.headers.get("Date"));
    // a login that is refused says nothing about the session that there may be
    const login = request.method === "POST" && request.url.endsWith("/session");
    if (response.status === 401 && !login) {
      session.refused(request.headers.get(SESSION_HEADER));
    }
  },
};

export const api = createClient<paths>({ baseUrl: new URL(API, location.origin).href });
api.use(door);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer; throws a Failure. */
export async function answer<T>(asked: Promise<Answer<T>>): Promise<T> {
  let got: Answer<T>;
  try {
    got = await asked;
  } catch (error) {
    throw thrown(error);
  }
  if (got.response.ok) {
    return got.data as T;
  }
  throw failure(got.response.status, got.error);
}

/** A read by its URL below the API, for the cache. */
export async function get(url: string, signal: AbortSignal): Promise<unknown> {
  // the cache makes its URLs from paths of the contract: the type of the answer is that of its entry
  const asked = api.GET(url as "/clusters", { signal });
  return answer(asked as Promise<Answer<unknown>>);
}
