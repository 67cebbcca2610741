import type { Open } from "./follow";

/** The windows of a browser that show one server, and follow it by one stream. */
const NAME = "ringmaster-events";
/** What the server sends as well when a stream opens. */
const FOLLOWS = new TextEncoder().encode(": follows\n\n");

const JOIN = "join";
/** Between windows: a chunk of the stream, or that a window listens from now on. */
type Word = Uint8Array | typeof JOIN;

/**
 * One stream for all windows of a browser: it has six connections to a server, which its windows share. The window that
 * holds the lock reads the stream and passes each chunk on; a window that waits for the lock listens. When the reader
 * closes, hides or fails, the next one opens the stream after the last event that it has seen.
 *
 * A chunk may end within an event. A window that joins or takes over then sees half of one, which is no JSON and is
 * passed over: who joins reads everything afterwards, and who takes over gets the event from the server again.
 *
 * @param direct opens a stream of this window's own, which is what a page without the locks of a secure context does
 */
export function shared(direct: Open, locks: LockManager | undefined = globalThis.navigator?.locks): Open {
  if (locks === undefined) {
    return direct;
  }
  return (after, signal) => {
    const channel = new BroadcastChannel(NAME);
    const say = (word: Word) => channel.postMessage(word);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const shown = writable.getWriter();
    const show = (chunk: Uint8Array) => void shown.write(chunk).catch(() => undefined);

    async function read(): Promise<void> {
      const stream = await direct(after, signal);
      channel.onmessage = ({ data }: MessageEvent<Word>) => data === JOIN && say(FOLLOWS);
      const passOn = new WritableStream<Uint8Array>({
        write(chunk) {
          say(chunk);
          show(chunk);
        },
      });
      await stream.pipeTo(passOn, { signal });
    }

    channel.onmessage = ({ data }: MessageEvent<Word>) => data !== JOIN && show(data);
    say(JOIN);
    void locks
      .request(NAME, { signal }, read)
      .catch(() => undefined) // the end of the stream says it
      .finally(() => {
        channel.close();
        void shown.close().catch(() => undefined);
      });
    return Promise.resolve(readable);
  };
}
