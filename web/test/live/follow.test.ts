import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backOff, DEAD_AFTER_MS, Follow, type Connection, type FleetEvent, type Open } from "../../src/live/follow";

/** A server whose stream the test writes. */
class Server {
  readonly asked: (string | undefined)[] = [];
  down = false;
  private stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly open: Open = async (after, signal) => {
    this.asked.push(after());
    if (this.down) {
      throw new TypeError("connection refused");
    }
    return new ReadableStream({
      start: (stream) => {
        this.stream = stream;
        stream.enqueue(new TextEncoder().encode(": follows\n\n"));
        signal.addEventListener("abort", () => undefined);
      },
    });
  };

  async send(text: string): Promise<void> {
    this.stream?.enqueue(new TextEncoder().encode(text));
    await settled();
  }

  async end(): Promise<void> {
    this.stream?.close();
    await settled();
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0);

function line(id: string, type: FleetEvent["type"]): string {
  const event: FleetEvent = { id, at: "2026-01-02T03:04:05Z", type, subject: "rides", text: "" };
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}

describe("following the fleet", () => {
  let server: Server;
  let events: FleetEvent[];
  let states: Connection[];
  let follow: Follow;
  const last = () => states.at(-1);

  beforeEach(() => {
    vi.useFakeTimers();
    server = new Server();
    events = [];
    states = [];
    const followed = { event: (e: FleetEvent) => events.push(e), connection: (c: Connection) => states.push(c) };
    follow = new Follow(server.open, followed, () => 0);
  });

  afterEach(() => {
    follow.stop();
    vi.useRealTimers();
  });

  it("continues after the last event that it saw", async () => {
    follow.start();
    await settled();
    await server.send(line("a-1", "NODE") + line("a-2", "PLAN"));
    await server.end();
    expect(last()).toMatchObject({ state: "lost" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.asked).toEqual([undefined, "a-2"]);
    expect(events.map((e) => e.id)).toEqual(["a-1", "a-2"]);
    expect(last()).toEqual({ state: "live" });
  });

  it("passes RESET on, and continues after it", async () => {
    follow.start();
    await settled();
    await server.send(line("b-9", "RESET"));
    await server.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(events.map((e) => e.type)).toEqual(["RESET"]);
    expect(server.asked.at(-1)).toBe("b-9");
  });

  it("skips what is no event", async () => {
    follow.start();
    await settled();
    await server.send(`data: {not json\n\n${line("a-1", "NODE")}`);
    expect(events.map((e) => e.id)).toEqual(["a-1"]);
  });

  it("takes a stream without bytes for dead, and comments for life", async () => {
    follow.start();
    await settled();
    await vi.advanceTimersByTimeAsync(DEAD_AFTER_MS - 1);
    await server.send(": still here\n\n");
    await vi.advanceTimersByTimeAsync(DEAD_AFTER_MS - 1);
    expect(last()).toEqual({ state: "live" });
    await vi.advanceTimersByTimeAsync(1);
    expect(last()).toMatchObject({ state: "lost" });
  });

  it("tries again after 1, 2, 4, 8, 16, 30 and 30 s, lost since the first failure", async () => {
    server.down = true;
    const start = Date.now();
    follow.start();
    await settled();
    const waits = [1, 2, 4, 8, 16, 30, 30];
    for (const [tries, wait] of waits.entries()) {
      expect(last()).toEqual({ state: "lost", since: start, retryAt: Date.now() + wait * 1000 });
      await vi.advanceTimersByTimeAsync(wait * 1000 - 1);
      expect(server.asked).toHaveLength(tries + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(server.asked).toHaveLength(tries + 2);
    }
    server.down = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(last()).toEqual({ state: "live" });
  });

  it("shortens a wait by up to a half", () => {
    expect(backOff(2, () => 0)).toBe(4000);
    expect(backOff(2, () => 1)).toBe(2000);
    expect(backOff(99, () => 0.5)).toBe(22_500);
  });

  it("lets the stream go while the tab is hidden, and continues when it is shown", async () => {
    follow.start();
    await settled();
    await server.send(line("a-3", "NODE"));
    follow.visible(false);
    expect(last()).toEqual({ state: "asleep" });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.asked).toHaveLength(1);
    follow.visible(true);
    await settled();
    expect(server.asked).toEqual([undefined, "a-3"]);
    expect(last()).toEqual({ state: "live" });
  });
});
