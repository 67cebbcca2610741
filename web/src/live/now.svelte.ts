import { clock } from "./clock";

/** The server's time by the second, for relative times on the screen. */
class Now {
  ms = $state(clock.now());

  constructor() {
    setInterval(() => (this.ms = clock.now()), 1000);
  }
}

export const now = new Now();
