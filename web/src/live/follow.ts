import type { components } from "../api/schema";
import { EventParser } from "./parser";

export type FleetEvent = components["schemas"]["Event"];

/** Opens the stream after the last event seen at that time; throws when it does not answer with 200. */
export type Open = (after: () => string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

export type Connection =
  | { state: "connecting" }
  | { state: "live" }
  | { state: "lost"; since: number; retryAt: number }
  /** The tab is hidden; it reads again when it is shown. */
  | { state: "asleep" };

export interface Followed {
  event(event: FleetEvent): void;
  connection(connection: Connection): void;
}

/** The server sends a comment every 10 s. */
export const DEAD_AFTER_MS = 25_000;
const LONGEST_MS = 30_000;

/** 1, 2, 4 ... 30 s, and up to a half less: the tabs of a fleet do not come back at the same instant. */
export function backOff(tries: number, random: () => number): number {
  return Math.min(1000 * 2 ** Math.min(tries, 5), LONGEST_MS) * (1 - random() / 2);
}

/** Follows the stream of events, reconnects after the last event seen, and lets it go while the tab is hidden. */
export class Follow {
  private after: string | undefined;
  private tries = 0;
  private lostSince: number | undefined;
  private abort: AbortController | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly open: Open,
    private readonly followed: Followed,
    private readonly random: () => number = Math.random,
  ) {}

  start(): void {
    clearTimeout(this.retry);
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    if (this.lostSince === undefined) {
      this.followed.connection({ state: "connecting" });
    }
    void this.run(abort);
  }

  stop(): void {
    clearTimeout(this.retry);
    this.abort?.abort();
    this.abort = undefined;
  }

  /**
   * A hidden tab holds no stream: a browser has six connections to a server, and tabs share them. Nothing is lost, as
   * the stream goes on after the last event seen.
   */
  visible(visible: boolean): void {
    if (!visible) {
      this.stop();
      this.lostSince = undefined;
      this.followed.connection({ state: "asleep" });
    } else if (this.abort === undefined) {
      this.tries = 0;
      this.start();
    }
  }

  private async run(abort: AbortController): Promise<void> {
    let dead = setTimeout(() => abort.abort(), DEAD_AFTER_MS);
    try {
      const reader = (await this.open(() => this.after, abort.signal)).getReader();
      abort.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
      const decoder = new TextDecoder();
      const parser = new EventParser();
      let opened = false;
      for (;;) {
        const { done, value } = await reader.read();
        if (done || abort.signal.aborted) {
          break;
        }
        clearTimeout(dead);
        dead = setTimeout(() => abort.abort(), DEAD_AFTER_MS);
        if (!opened) {
          opened = true;
          this.opened();
        }
        parser.push(decoder.decode(value, { stream: true })).forEach((e) => this.take(e.data, e.id));
      }
    } catch {
      // every end of a stream is followed by another try
    } finally {
      clearTimeout(dead);
    }
    if (this.abort === abort) {
      this.lost();
    }
  }

  private opened(): void {
    this.tries = 0;
    this.lostSince = undefined;
    this.followed.connection({ state: "live" });
  }

  private take(data: string, id: string | undefined): void {
    let event: FleetEvent;
    try {
      event = JSON.parse(data) as FleetEvent;
    } catch {
      return; // nothing that a reader of this version understands
    }
    this.after = id ?? event.id;
    this.followed.event(event);
  }

  private lost(): void {
    this.lostSince ??= Date.now();
    const wait = backOff(this.tries++, this.random);
    this.followed.connection({ state: "lost", since: this.lostSince, retryAt: Date.now() + wait });
    this.retry = setTimeout(() => this.start(), wait);
  }
}
