import type { components } from "./schema";

type Schemas = components["schemas"];
type SessionState = Schemas["SessionState"];

const KEY = "ringmaster-session";

/**
 * The session of the page. Its key lies in localStorage, which each port of a host has for its own: programs on other
 * ports get the cookie, and can do nothing with it alone.
 */
class PageSession {
  who = $state<string>();
  expiresAt = $state<string>();
  /** Reads need no session: the server has `open_reads`. Undefined before the first answer. */
  readsOpen = $state<boolean>();
  datacenter = $state<string>();
  /** The login bar is open. */
  asked = $state(false);

  /** The page's half of the session. Another tab may have logged in since: it is read for each request. */
  get key(): string | undefined {
    return localStorage.getItem(KEY) ?? undefined;
  }

  /** Whether changes are possible. */
  get open(): boolean {
    return this.who !== undefined;
  }

  /** Changes need a login first. Before the first answer nothing is known, and no lock is shown. */
  get locked(): boolean {
    return this.readsOpen !== undefined && this.who === undefined;
  }

  loaded(state: SessionState) {
    this.who = state.who;
    this.expiresAt = state.expiresAt;
    this.readsOpen = state.readsOpen;
    this.datacenter = state.datacenter;
    if (state.who !== undefined) {
      this.asked = false;
    } else if (!state.readsOpen) {
      this.asked = true;
    }
  }

  opened(opened: Schemas["Session"]) {
    localStorage.setItem(KEY, opened.key);
    this.who = opened.who;
    this.expiresAt = opened.expiresAt;
    this.asked = false;
  }

  closed() {
    localStorage.removeItem(KEY);
    this.who = undefined;
    this.expiresAt = undefined;
  }

  /** The server answered 401 to a key: the session has expired, or the token was changed. */
  refused(key: string | null) {
    if (key !== (this.key ?? null)) {
      return; // a login came in between
    }
    this.closed();
    this.asked = true;
  }
}

export const session = new PageSession();
