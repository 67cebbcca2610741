import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Follow, type Connection, type FleetEvent } from "../../src/live/follow";
import { shared } from "../../src/live/shared";

/** One lock, in the order of the requests, as a browser grants it to its windows. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request(_name: string, { signal }: LockOptions, held: () => Promise<void>): Promise<void> {
    const mine = this.last.then(() => (signal?.aborted ? Promise.reject(new Error("aborted")) : held()));
    this.last = mine.catch(() => undefined);
    return mine;
  }
}

class Window {
  readonly events: string[] = [];
  state: Connection["state"] = "connecting";
  readonly asked: (string | undefined)[] = [];
  stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly follow: Follow;

  constructor(locks: Locks) {
    const open = shared(
      (after) => {
        this.asked.push(after());
        return Promise.resolve(
          new ReadableStream<Uint8Array>({
            start: (stream) => {
              this.stream = stream;
              this.send(": follows\n\n");
            },
          }),
        );
      },
      locks as unknown as LockManager,
    );
    this.follow = new Follow(open, {
      event: (e: FleetEvent) => this.events.push(e.id),
      connection: (c) => (this.state = c.state),
    });
    this.follow.start();
  }

  send(text: string): void {
    this.stream?.enqueue(new TextEncoder().encode(text));
  }
}

const line = (id: string) => `id: ${id}\ndata: {"id":"${id}","type":"NODE"}\n\n`;

let first: Window;
let second: Window;

beforeEach(async () => {
  const locks = new Locks();
  first = new Window(locks);
  await vi.waitFor(() => expect(first.state).toBe("live"));
  second = new Window(locks);
  await vi.waitFor(() => expect(second.state).toBe("live"));
});

afterEach(() => {
  first.follow.stop();
  second.follow.stop();
});

test("windows follow by one stream", async () => {
  first.send(line("a-1"));
  await vi.waitFor(() => expect([first.events, second.events]).toEqual([["a-1"], ["a-1"]]));
  expect([first.asked, second.asked]).toEqual([[undefined], []]);
});

test.each(["is hidden", "fails"])(
  "when the window with the stream %s, another goes on after its last event",
  async (how) => {
    first.send(line("a-1"));
    await vi.waitFor(() => expect(second.events).toEqual(["a-1"]));
    if (how === "fails") {
      first.stream?.error(new Error("connection reset"));
    } else {
      first.follow.visible(false);
    }
    await vi.waitFor(() => expect(second.asked).toEqual(["a-1"]));
    second.send(line("a-2"));
    await vi.waitFor(() => expect(second.events).toEqual(["a-1", "a-2"]));
    expect(second.state).toBe("live");
  },
);

test("half an event is passed over by who takes over, and read again", async () => {
  first.send(line("a-1") + line("a-2").slice(0, 12));
  await vi.waitFor(() => expect(second.events).toEqual(["a-1"]));
  first.follow.stop();
  await vi.waitFor(() => expect(second.asked).toEqual(["a-1"]));
  second.send(line("a-2"));
  await vi.waitFor(() => expect(second.events).toEqual(["a-1", "a-2"]));
});
