/**
 * The clock of the server, by the `Date` header of its answers. The header has whole seconds, so an answer only bounds
 * the offset; the browser's clock is used while it lies within the bounds of all answers.
 */
export class ServerClock {
  private least = -Infinity;
  private most = Infinity;

  constructor(private readonly local: () => number = Date.now) {}

  heard(date: string | null): void {
    const at = date === null ? NaN : Date.parse(date);
    if (Number.isNaN(at)) {
      return;
    }
    const least = at - this.local();
    const most = least + 1000 + ANSWER_MS;
    if (most < this.least || least > this.most) {
      // one of both clocks was set
      this.least = least;
      this.most = most;
    } else {
      this.least = Math.max(this.least, least);
      this.most = Math.min(this.most, most);
    }
  }

  now(): number {
    return this.local() + this.offset();
  }

  private offset(): number {
    return Math.min(Math.max(0, this.least), this.most);
  }
}

/** An answer is on its way for less. */
const ANSWER_MS = 1000;

export const clock = new ServerClock();
