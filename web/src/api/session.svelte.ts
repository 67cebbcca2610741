import type { components } from "./schema";

type Schemas = components["schemas"];
type SessionState = Schemas["SessionState"];

const KEY = "ringmaster-session";

/**
 * The session of the page. Its key lies in localStorage, which each port of a host has for its own: programs on other
 * ports get the cookie, and can do nothing with it alone.
 */
class PageSession {
  /** The page's half of the session. */
  key = $state<string | undefined>(localStorage.getItem(KEY) ?? undefined);
  who = $state<string>();
  expiresAt = $state<string>();
  /** Reads need no session: the server listens on loopback only. Undefined before the first answer. */
  readsOpen = $state<boolean>();
  datacenter = $state<string>();
  /** The login bar is open. */
  asked = $state(false);

  /** Whether changes are possible. */
  get open(): boolean {
    return this.who !== undefined;
  }

  loaded(state: SessionState) {
    this.who = state.who;
    this.expiresAt = state.expiresAt;
    this.readsOpen = state.readsOpen;
    this.datacenter = state.datacenter;
    if (state.who === undefined && !state.readsOpen) {
      this.asked = true;
    }
  }

  opened(opened: Schemas["Session"]) {
    this.keep(opened.key);
    this.who = opened.who;
    this.expiresAt = opened.expiresAt;
    this.asked = false;
  }

  closed() {
    this.keep(undefined);
    this.who = undefined;
    this.expiresAt = undefined;
  }

  /** The server answered 401: the session has expired, or the token was changed. */
  refused() {
    this.closed();
    this.asked = true;
  }

  private keep(key: string | undefined) {
    this.key = key;
    if (key === undefined) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, key);
    }
  }
}

export const session = new PageSession();
