package io.ringmaster.server.event;

import io.javalin.http.sse.SseClient;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.Event;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Server-sent events. Each follower has a thread, so that a slow one does not delay the others; therefore their number
 * is limited.
 */
public final class EventStream {
    private static final int FOLLOWERS = 64;
    private static final long HEARTBEAT_MS = 10_000;

    private final EventRing ring;
    private final BooleanSupplier serves;
    private final Clock clock;
    private final Semaphore free = new Semaphore(FOLLOWERS);

    /** @param serves whether this server has the events; a stream ends within a heartbeat when it no longer does */
    public EventStream(EventRing ring, BooleanSupplier serves, Clock clock) {
        this.ring = ring;
        this.serves = serves;
        this.clock = clock;
    }

    /** Before the answer starts: refuses a follower beyond the limit, whose place is given back by {@link #follow}. */
    public void admit() {
        if (!free.tryAcquire()) {
            throw new ProblemException(
                    503,
                    Problem.of(
                            ErrorCode.INTERNAL,
                            "the event stream has " + FOLLOWERS + " followers, the maximum",
                            "poll clusters/{cluster}/status instead"));
        }
    }

    /**
     * @param permitted whether the client may still follow; otherwise it gets no further event, and its stream ends
     *     within a heartbeat
     * @param visible the events that the client may see
     */
    public void follow(SseClient client, BooleanSupplier permitted, Predicate<Event> visible) {
        client.keepAlive();
        var thread = new Thread(
                () -> serve(client, permitted, visible),
                "events-" + client.ctx().req().getRemotePort());
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(SseClient client, BooleanSupplier permitted, Predicate<Event> visible) {
        try {
            EventRing.Batch batch = ring.resume(client.ctx().header("Last-Event-ID"), clock.now());
            client.sendComment("follows");
            while (!client.terminated() && !ring.closed() && serves.getAsBoolean() && permitted.getAsBoolean()) {
                batch.events().stream().filter(visible).forEach(event -> send(client, event));
                batch = ring.after(batch.position(), HEARTBEAT_MS, clock.now());
                if (batch.events().stream().noneMatch(visible)) {
                    client.sendComment("heartbeat");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            free.release();
            client.close();
        }
    }

    private static void send(SseClient client, Event event) {
        client.sendEvent(event.type().name(), Json.text(event), event.id());
    }
}
