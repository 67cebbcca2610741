package io.ringmaster.wire.client;

import io.ringmaster.json.Json;
import io.ringmaster.wire.api.Event;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event stream. When the connection breaks or goes quiet, the next call connects again and continues after
 * the last event seen. Not safe for several threads.
 */
public final class EventFollower implements AutoCloseable {
    /** Three missed heartbeats: the server sends one every 10 s. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    private final HttpJson http;
    private final URI uri;
    private final StringBuilder data = new StringBuilder();
    private @Nullable String last;
    /** Of the event whose lines are being read. */
    private @Nullable String id;

    private @Nullable LineStream stream;
    private boolean answered;

    EventFollower(HttpJson http, URI uri, @Nullable String after) {
        this.http = http;
        this.uri = uri;
        this.last = after;
    }

    /** The id of the last event seen, to continue after it elsewhere or later; null before the first. */
    public @Nullable String last() {
        return last;
    }

    /**
     * Whether the server follows on the present connection. Events that occur from then on are not lost while the
     * connection lasts, also when none was seen yet.
     */
    public boolean follows() {
        return answered;
    }

    /**
     * The next event, or empty when none arrives within {@code wait}.
     *
     * @throws UnreachableException the stream broke or cannot be opened; calling again opens it again
     */
    public Optional<Event> next(Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        if (stream == null) {
            stream = connect();
        }
        while (true) {
            Optional<String> line = read(stream, deadline - System.nanoTime());
            if (line.isEmpty()) {
                return Optional.empty();
            }
            answered = true;
            if (line.get().startsWith("id:")) {
                id = line.get().substring("id:".length()).strip();
            } else if (line.get().startsWith("data:")) {
                data.append(line.get().substring("data:".length()).strip());
            } else if (line.get().isEmpty() && data.length() > 0) {
                Optional<Event> event = parse(data.toString());
                data.setLength(0);
                last = event.map(Event::id).orElse(id);
                if (event.isPresent()) {
                    return event;
                }
            }
        }
    }

    /** Empty for an event of a newer server that this version does not know: it is passed over. */
    private static Optional<Event> parse(String json) {
        try {
            return Optional.of(Json.parse(json, Event.class));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        data.setLength(0);
        answered = false;
        if (stream != null) {
            stream.cancel();
            stream = null;
        }
    }

    private Optional<String> read(LineStream from, long waitNanos) throws InterruptedException {
        try {
            return from.poll(waitNanos, QUIET);
        } catch (UnreachableException e) {
            close();
            throw e;
        }
    }

    private LineStream connect() {
        var request = http.request(uri).header("Accept", "text/event-stream").timeout(QUIET);
        if (last != null) {
            request.header("Last-Event-ID", last);
        }
        return LineStream.open(http.http(), request.build());
    }
}
