import { Cache } from "./cache.svelte";
import { get } from "./client";
import type { Failure } from "./problem";
import type { paths } from "./schema";

export const cache = new Cache(get);

/** What a visible screen reads again without an event: load, hints and ownership change without one. */
const AGAIN_MS = 15_000;

interface Readable<T> {
  get: { responses: { 200: { content: { "application/json": T } } } };
}

type Answer<P extends keyof paths> = paths[P] extends Readable<infer T> ? T : never;
export type ReadPath = { [P in keyof paths]: paths[P] extends Readable<unknown> ? P : never }[keyof paths];

/** Values for `{name}` in a path; the others go into the query. */
export type Values = Record<string, string | number>;

export interface Shown<T> {
  /** Undefined before the first answer. */
  readonly data: T | undefined;
  readonly problem: Failure | undefined;
  readonly local: boolean;
  readonly readAt: number | undefined;
  again(): void;
}

/** Keeps a path of the API fresh while the calling component is on the screen. */
export function shown<P extends ReadPath>(path: P, values: () => Values = () => ({})): Shown<Answer<P>> {
  const entry = $derived(cache.entry(urlOf(path, values())));
  $effect(() => cache.watch(entry));
  return {
    get data() {
      return entry.data as Answer<P> | undefined;
    },
    get problem() {
      return entry.problem;
    },
    get local() {
      return entry.local;
    },
    get readAt() {
      return entry.readAt;
    },
    again() {
      cache.stale((url) => url === entry.url);
    },
  };
}

export function urlOf(path: ReadPath, values: Values): string {
  const query = new URLSearchParams();
  let url: string = path;
  for (const [name, value] of Object.entries(values)) {
    const place = `{${name}}`;
    if (url.includes(place)) {
      url = url.replace(place, encodeURIComponent(value));
    } else {
      query.set(name, String(value));
    }
  }
  return query.size === 0 ? url : `${url}?${query}`;
}

/** Reads again what is on the screen, for as long as the page is visible. */
export function readAgain(): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) {
      cache.staleAll();
    }
  }, AGAIN_MS);
  return () => clearInterval(timer);
}
