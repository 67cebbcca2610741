/** An event of a stream of server-sent events. */
export interface StreamEvent {
  id: string | undefined;
  type: string;
  data: string;
}

/** Parses `text/event-stream` as the HTML standard defines it, from chunks that end anywhere. */
export class EventParser {
  private rest = "";
  private first = true;
  private afterReturn = false;
  private id: string | undefined;
  private type = "";
  private data: string[] = [];

  /** The events that the chunk completes. */
  push(chunk: string): StreamEvent[] {
    let text = chunk;
    if (this.first && text !== "") {
      this.first = false;
      text = text.replace(/^\uFEFF/, "");
    }
    if (this.afterReturn && text !== "") {
      // CR ended a line at the end of the last chunk; LF belongs to it
      this.afterReturn = false;
      text = text.replace(/^\n/, "");
    }
    this.afterReturn ||= text.endsWith("\r");
    const lines = (this.rest + text).split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): StreamEvent[] {
    if (line === "") {
      return this.dispatch();
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.data.push(value);
    } else if (field === "event") {
      this.type = value;
    } else if (field === "id" && !value.includes("\0")) {
      this.id = value;
    }
    return []; // comments have an empty field; `retry` is not followed, the back-off is the page's own
  }

  private dispatch(): StreamEvent[] {
    const event = { id: this.id, type: this.type || "message", data: this.data.join("\n") };
    const has = this.data.length > 0;
    this.type = "";
    this.data = [];
    return has ? [event] : [];
  }
}
