package io.ringmaster.server.event;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.Event;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last events, for those who reconnect. An id is the start of this server and a number, so that the id of another server, or of
 * this one before a restart, is never taken for one of these.
 */
public final class EventRing {
    private final int capacity;
    private final String run;
    private final Deque<Event> events = new ArrayDeque<>();
    private long newest;
    private boolean closed;

    public EventRing(int capacity, Instant started) {
        this.capacity = capacity;
        this.run = Long.toString(started.toEpochMilli(), 36);
    }

    /** What a follower gets next: where it then is, and the events up to there. */
    public record Batch(long position, List<Event> events) {}

    public synchronized void add(
            Instant at, Event.Type type, @Nullable ClusterName cluster, String subject, String text) {
        newest++;
        events.addLast(new Event(id(newest), at, type, cluster, subject, text));
        if (events.size() > capacity) {
            events.removeFirst();
        }
        notifyAll();
    }

    /** The id of the newest event. */
    public synchronized String tail() {
        return id(newest);
    }

    /**
     * Where somebody begins who last saw {@code lastSeen}.
     *
     * @param lastSeen null: begin with what comes next
     * @return a RESET event to tell first, when something in between is lost
     */
    public synchronized Batch begin(@Nullable String lastSeen, Instant now) {
        if (lastSeen == null) {
            return new Batch(newest, List.of());
        }
        long oldest = newest - events.size();
        for (long n = oldest; n <= newest; n++) {
            if (id(n).equals(lastSeen)) {
                return new Batch(n, List.of());
            }
        }
        String text = "events after " + lastSeen + " are no longer kept: read everything again";
        return new Batch(newest, List.of(new Event(id(newest), now, Event.Type.RESET, null, "stream", text)));
    }

    /** Waits for events after {@code position}; empty when none comes in time. A position that is no longer kept gives a RESET. */
    public synchronized Batch after(long position, long waitMs, Instant now) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        while (newest == position && !closed) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (leftMs <= 0) {
                return new Batch(position, List.of());
            }
            wait(leftMs);
        }
        if (position < newest - events.size()) {
            return begin(id(position), now);
        }
        var fresh = new ArrayList<Event>();
        events.stream().skip(position - (newest - events.size())).forEach(fresh::add);
        return new Batch(newest, fresh);
    }

    public synchronized boolean closed() {
        return closed;
    }

    /** Wakes all who wait; nothing comes any more. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private String id(long number) {
        return run + "-" + number;
    }
}
