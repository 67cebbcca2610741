import { describe, expect, it } from "vitest";
import { EventParser } from "../../src/live/parser";

const STREAM = ': hello\n\nid: a-1\nevent: NODE\ndata: {"x":\ndata: 1}\n\nid: a-2\ndata:two\nretry: 5\nother\n\n';
const EVENTS = [
  { id: "a-1", type: "NODE", data: '{"x":\n1}' },
  { id: "a-2", type: "message", data: "two" },
];

describe("parser of server-sent events", () => {
  it("reads fields, comments and data of several lines", () => {
    expect(new EventParser().push(STREAM)).toEqual(EVENTS);
  });

  it.each(["\n", "\r\n", "\r"])("reads chunks of any size with lines that end in %j", (end) => {
    const text = STREAM.replaceAll("\n", end) + (end === "\r" ? ": a CR at the end may be half of a CRLF\r" : "");
    for (let size = 1; size < 12; size++) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < text.length; at += size) {
        events.push(...parser.push(text.slice(at, at + size)));
      }
      expect(events, `chunks of ${size}`).toEqual(EVENTS);
    }
  });

  it("does not take a CRLF between two chunks for an empty line", () => {
    const parser = new EventParser();
    expect(parser.push("data: one\r")).toEqual([]);
    expect(parser.push("\ndata: two\r")).toEqual([]);
    expect(parser.push("\n\r\n")).toEqual([{ id: undefined, type: "message", data: "one\ntwo" }]);
  });

  it("keeps the last id, and drops an event without data or without its end", () => {
    const parser = new EventParser();
    expect(parser.push("\uFEFFid: a-7\n\ndata: later\n\ndata: cut")).toEqual([
      { id: "a-7", type: "message", data: "later" },
    ]);
  });
});
