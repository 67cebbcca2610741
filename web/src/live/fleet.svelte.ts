import { API, SESSION_HEADER } from "../api/client";
import { cache } from "../api/read.svelte";
import { session } from "../api/session.svelte";
import { clock } from "./clock";
import { Follow, type Connection, type FleetEvent } from "./follow";
import { concerns, marks } from "./marks";
import { shared } from "./shared";

/** Whether the page is live: what it shows follows the events of the fleet. */
class Live {
  connection = $state.raw<Connection>({ state: "connecting" });

  /** A page that just opened is trusted until its stream is known to be lost. */
  get lost(): boolean {
    return this.connection.state === "lost";
  }
}

export const live = new Live();

async function open(last: () => string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const after = last();
  const headers = new Headers({ Accept: "text/event-stream" });
  if (after !== undefined) {
    headers.set("Last-Event-ID", after);
  }
  if (session.key !== undefined) {
    headers.set(SESSION_HEADER, session.key);
  }
  const response = await fetch(`${API}/events?fleet=true`, { headers, signal, cache: "no-store" });
  clock.heard(response.headers.get("Date"));
  if (response.status === 401) {
    session.refused(headers.get(SESSION_HEADER));
  }
  if (!response.ok || response.body === null) {
    throw new Error(`the stream of events answered with status ${response.status}`);
  }
  return response.body;
}

function event(event: FleetEvent) {
  const all = marks(event);
  cache.stale((url) => all.some((mark) => concerns(mark, url)));
}

function connection(connection: Connection) {
  live.connection = connection;
  if (connection.state === "live") {
    // what was read before may be older than the first event; a window that joins the stream of another misses some
    cache.staleAll();
  }
}

const follow = new Follow(shared(open), { event, connection });

/** Follows the fleet while the page is open; returns the end of it. */
export function followFleet(): () => void {
  const visible = () => {
    follow.visible(!document.hidden);
    if (!document.hidden) {
      cache.staleAll();
    }
  };
  document.addEventListener("visibilitychange", visible);
  follow.visible(!document.hidden);
  return () => {
    document.removeEventListener("visibilitychange", visible);
    follow.stop();
  };
}

/** Tries again at once: after a login, and when somebody asks for it. */
export function followNow(): void {
  follow.start();
}
