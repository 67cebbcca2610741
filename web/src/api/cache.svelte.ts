import { type Failure, thrown } from "./problem";

/** What is known of one URL. Data stay while they are read again, also when that fails. */
export class Entry {
  data = $state.raw<unknown>();
  /** Why the last read failed. */
  problem = $state.raw<Failure>();
  /** Data of the asked datacenter only: the others have not answered yet. */
  local = $state(false);
  /** When the data were read, on the browser's clock. */
  readAt = $state<number>();

  viewers = 0;
  stale = true;
  /** The last read, whether it failed or not. */
  triedAt = -Infinity;
  reading: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly url: string) {}
}

type Read = (url: string, signal: AbortSignal) => Promise<unknown>;

/** A slow peer holds a read of the fleet for up to 6 s: the own datacenter's part is shown after this time. */
const LOCAL_AFTER_MS = 400;
const SPACING_MS = 1000;
const AT_ONCE = 4;
const KEPT_UNSEEN = 60;

/**
 * Answers of the API by URL. An entry that is on the screen is read when it is stale, at most once a second; at most
 * four reads run at a time. Entries that nobody looks at stay stale until somebody does.
 */
export class Cache {
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- an entry is reactive, the list of them is not
  private readonly entries = new Map<string, Entry>();
  private readonly waiting: Entry[] = [];
  private running = 0;

  constructor(private readonly read: Read) {}

  entry(url: string): Entry {
    let entry = this.entries.get(url);
    if (entry === undefined) {
      this.forget();
      entry = new Entry(url);
      this.entries.set(url, entry);
    }
    return entry;
  }

  /** Keeps an entry fresh until the returned function is called. */
  watch(entry: Entry): () => void {
    entry.viewers++;
    this.ask(entry);
    return () => {
      if (--entry.viewers === 0) {
        clearTimeout(entry.timer);
        entry.timer = undefined;
        entry.stale = true;
        // a slow read that nobody waits for must not hold up the next screen
        entry.reading?.abort();
      }
    };
  }

  /** Marks entries as stale; those on the screen are read again. */
  stale(concerned: (url: string) => boolean): void {
    for (const entry of this.entries.values()) {
      if (concerned(entry.url)) {
        entry.stale = true;
        this.ask(entry);
      }
    }
  }

  /** After a login, and when events were lost. */
  staleAll(): void {
    this.stale(() => true);
  }

  private ask(entry: Entry): void {
    if (!entry.stale || entry.viewers === 0 || entry.timer !== undefined || entry.reading !== undefined) {
      return;
    }
    const wait = Math.max(0, entry.triedAt + SPACING_MS - Date.now());
    entry.timer = setTimeout(() => {
      entry.timer = undefined;
      if (!this.waiting.includes(entry)) {
        this.waiting.push(entry);
      }
      this.next();
    }, wait);
  }

  private next(): void {
    while (this.running < AT_ONCE) {
      const entry = this.waiting.shift();
      if (entry === undefined) {
        return;
      }
      if (entry.viewers > 0 && entry.stale && entry.reading === undefined) {
        void this.load(entry);
      }
    }
  }

  private async load(entry: Entry): Promise<void> {
    this.running++;
    const abort = new AbortController();
    entry.reading = abort;
    entry.stale = false;
    entry.triedAt = Date.now();
    const early = entry.data === undefined ? setTimeout(() => void this.loadLocal(entry, abort), LOCAL_AFTER_MS) : 0;
    try {
      this.keep(entry, await this.read(entry.url, abort.signal), false);
    } catch (error) {
      if (abort.signal.aborted) {
        entry.stale = true;
      } else {
        entry.problem = thrown(error);
      }
    } finally {
      clearTimeout(early);
      entry.reading = undefined;
      this.running--;
      this.ask(entry);
      this.next();
    }
  }

  private async loadLocal(entry: Entry, whole: AbortController): Promise<void> {
    if (!FLEET_READ.test(entry.url)) {
      return;
    }
    const url = `${entry.url}${entry.url.includes("?") ? "&" : "?"}local=true`;
    try {
      const data = await this.read(url, whole.signal);
      if (entry.reading === whole) {
        this.keep(entry, data, true);
      }
    } catch {
      // the read of the fleet is still under way, and reports its own failure
    }
  }

  private keep(entry: Entry, data: unknown, local: boolean): void {
    entry.data = data;
    entry.local = local;
    entry.readAt = Date.now();
    entry.problem = undefined;
  }

  /** Drops the oldest entries that nobody looks at. */
  private forget(): void {
    const unseen = [...this.entries.values()].filter((e) => e.viewers === 0 && e.reading === undefined);
    for (const entry of unseen.slice(0, Math.max(0, unseen.length - KEPT_UNSEEN))) {
      this.entries.delete(entry.url);
    }
  }
}

/** Reads that ask every datacenter and have the parameter `local`. */
const FLEET_READ = /^\/(clusters|clusters\/[^/]+\/(status|ring)|plans|machines|datacenters|audit)(\?|$)/;
