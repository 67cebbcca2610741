package io.ringmaster.server.event;

import io.ringmaster.wire.api.Event;
import io.ringmaster.wire.api.RecentEvents;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last events, for clients that reconnect. An id consists of the stream, the server's start time and a number, so
 * that an id of another stream or server, or of this server before a restart, never matches.
 */
public final class EventRing {
    /** The number of events kept; enough for several minutes of a large deploy. */
    public static final int KEPT = 4096;

    private final int capacity;
    private final Instant started;
    private final String run;
    private final Deque<Event> events = new ArrayDeque<>();
    private long newest;
    private boolean closed;

    EventRing(int capacity, Instant started, String stream) {
        this.capacity = capacity;
        this.started = started;
        this.run = stream + Long.toString(started.toEpochMilli(), 36);
    }

    /** The events of one datacenter. */
    public static EventRing ofDatacenter(Instant started) {
        return new EventRing(KEPT, started, "");
    }

    /** The events of all datacenters. */
    public static EventRing ofFleet(Instant started) {
        return new EventRing(KEPT, started, "fleet-");
    }

    /**
     * Events for a follower.
     *
     * @param position the number of the last event that the follower has after this batch
     */
    public record Batch(long position, List<Event> events) {}

    /** Adds the event under the next id of this ring. */
    public synchronized void add(Event event) {
        newest++;
        events.addLast(event.withId(id(newest)));
        if (events.size() > capacity) {
            events.removeFirst();
        }
        notifyAll();
    }

    /** The newest events that fulfil the condition, the oldest first. */
    public synchronized RecentEvents recent(Predicate<Event> wanted, int limit) {
        List<Event> all = events.stream().filter(wanted).toList();
        boolean complete = newest == events.size();
        return new RecentEvents(
                all.subList(Math.max(0, all.size() - limit), all.size()),
                complete ? started : events.getFirst().at());
    }

    /** The id of the newest event. */
    public synchronized String tail() {
        return id(newest);
    }

    /**
     * The position after the event {@code lastSeen}.
     *
     * @param lastSeen the id of the last event that the follower has; null to start with the next event
     * @return a batch with a RESET event if events in between are lost
     */
    public synchronized Batch resume(@Nullable String lastSeen, Instant now) {
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
        return new Batch(
                newest,
                List.of(Event.of(now, Event.Type.RESET, null, "stream", text).withId(id(newest))));
    }

    /**
     * Waits for events after {@code position}; empty when none arrives in time, RESET when the position is no longer
     * kept.
     */
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
            return resume(id(position), now);
        }
        var fresh = new ArrayList<Event>();
        events.stream().skip(position - (newest - events.size())).forEach(fresh::add);
        return new Batch(newest, fresh);
    }

    public synchronized boolean closed() {
        return closed;
    }

    /** Wakes all waiting followers; no event follows. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    private String id(long number) {
        return run + "-" + number;
    }
}
