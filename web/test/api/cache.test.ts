import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Cache } from "../../src/api/cache.svelte";
import { NoAnswer } from "../../src/api/problem";

/** Reads that the test answers. */
class Reads {
  readonly asked: string[] = [];
  private readonly open: { url: string; yes: (data: unknown) => void; no: (error: unknown) => void }[] = [];

  readonly read = (url: string) =>
    new Promise<unknown>((yes, no) => {
      this.asked.push(url);
      this.open.push({ url, yes, no });
    });

  /** Answers the oldest read, or that of a URL. */
  async answer(data: unknown, url = this.open[0]?.url): Promise<void> {
    const at = this.open.findIndex((o) => o.url === url);
    this.open.splice(at, 1)[0]?.yes(data);
    await vi.advanceTimersByTimeAsync(0);
  }

  async fail(error: unknown): Promise<void> {
    this.open.shift()?.no(error);
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe("cache", () => {
  let reads: Reads;
  let cache: Cache;

  beforeEach(() => {
    vi.useFakeTimers();
    reads = new Reads();
    cache = new Cache(reads.read);
  });

  afterEach(() => vi.useRealTimers());

  const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("reads an entry once for all who look at it, and only while somebody does", async () => {
    const entry = cache.entry("/operations");
    cache.staleAll();
    await passed(5000);
    expect(reads.asked).toEqual([]);
    const ends = [cache.watch(entry), cache.watch(cache.entry("/operations"))];
    await passed(0);
    await reads.answer("one");
    expect(entry.data).toBe("one");
    expect(reads.asked).toHaveLength(1);
    ends.forEach((end) => end());
    cache.staleAll();
    await passed(5000);
    expect(reads.asked).toHaveLength(1);
  });

  it("reads a stale entry at most once a second, and keeps its data meanwhile", async () => {
    const entry = cache.entry("/operations");
    cache.watch(entry);
    await passed(0);
    await reads.answer("one");
    for (let i = 0; i < 50; i++) {
      cache.stale((url) => url === "/operations");
    }
    await passed(999);
    expect(reads.asked).toHaveLength(1);
    await passed(1);
    expect(reads.asked).toHaveLength(2);
    expect(entry.data).toBe("one");
    await reads.answer("two");
    expect(entry.data).toBe("two");
    await passed(10_000);
    expect(reads.asked).toHaveLength(2);
  });

  it("reads again what became stale during the read", async () => {
    cache.watch(cache.entry("/operations"));
    await passed(0);
    cache.staleAll();
    await reads.answer("old");
    await passed(1000);
    expect(reads.asked).toHaveLength(2);
  });

  it("reads four entries at a time", async () => {
    ["a", "b", "c", "d", "e", "f"].forEach((name) => cache.watch(cache.entry(`/plans/${name}`)));
    await passed(0);
    expect(reads.asked).toHaveLength(4);
    await reads.answer("a");
    expect(reads.asked).toHaveLength(5);
    await reads.fail(new TypeError("cut"));
    expect(reads.asked).toHaveLength(6);
  });

  it("keeps the data of a read that fails later, with the failure beside them", async () => {
    const entry = cache.entry("/operations");
    cache.watch(entry);
    await passed(0);
    await reads.answer("one");
    cache.staleAll();
    await passed(1000);
    await reads.fail(new TypeError("cut"));
    expect(entry.data).toBe("one");
    expect(entry.problem).toBeInstanceOf(NoAnswer);
    cache.staleAll();
    await passed(1000);
    await reads.answer("two");
    expect(entry.problem).toBeUndefined();
  });

  it("shows the own datacenter's part while others are slow", async () => {
    const entry = cache.entry("/plans?cluster=rides");
    cache.watch(entry);
    await passed(400);
    expect(reads.asked).toEqual(["/plans?cluster=rides", "/plans?cluster=rides&local=true"]);
    await reads.answer("part", "/plans?cluster=rides&local=true");
    expect([entry.data, entry.local]).toEqual(["part", true]);
    await reads.answer("whole");
    expect([entry.data, entry.local]).toEqual(["whole", false]);
  });
});
