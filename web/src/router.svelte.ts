import { tick } from "svelte";
import { parse } from "./route";

/** The address of the page: its route, and filter, order and selection in its query. */
class Router {
  private url = $state.raw(new URL(location.href));
  readonly route = $derived(parse(this.url.pathname));

  /** A value of the query; empty when it is absent. */
  query(name: string): string {
    return this.url.searchParams.get(name) ?? "";
  }

  /** All values of the query. */
  values(): Record<string, string> {
    return Object.fromEntries(this.url.searchParams);
  }

  /** The address with other values in its query; an empty value leaves the query. */
  with(values: Record<string, string>): string {
    const to = new URL(this.url);
    for (const [name, value] of Object.entries(values)) {
      if (value === "") {
        to.searchParams.delete(name);
      } else {
        to.searchParams.set(name, value);
      }
    }
    return to.pathname + to.search;
  }

  /** Changes the query in place: typing into a filter is no step of the history. */
  set(values: Record<string, string>): void {
    history.replaceState(null, "", this.with(values));
    this.url = new URL(location.href);
  }

  go(to: string, replace = false): void {
    const from = this.url.pathname;
    if (replace) {
      history.replaceState(null, "", to);
    } else {
      history.pushState(null, "", to);
    }
    this.url = new URL(location.href);
    if (this.url.pathname !== from) {
      void arrived();
    }
  }

  /** Follows the links of the document and the browser's own buttons; returns the end of it. */
  listen(): () => void {
    const click = (event: MouseEvent) => this.click(event);
    const back = () => {
      const from = this.url.pathname;
      this.url = new URL(location.href);
      if (this.url.pathname !== from) {
        void arrived();
      }
    };
    document.addEventListener("click", click);
    addEventListener("popstate", back);
    return () => {
      document.removeEventListener("click", click);
      removeEventListener("popstate", back);
    };
  }

  private click(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const other = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (link === null || other || event.defaultPrevented || link.target !== "" || link.origin !== location.origin) {
      return;
    }
    const here = link.pathname === location.pathname && link.search === location.search;
    if (here && link.hash !== "") {
      // the browser itself goes on at the place in the document
      return;
    }
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

/** Screen readers go on at the heading of the new screen. */
async function arrived(): Promise<void> {
  scrollTo(0, 0);
  await toHeading();
}

/** Moves the focus to the heading, after what is to be drawn. */
export async function toHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

export const router = new Router();
