package io.ringmaster.pool.mesos.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription of a scheduler: a stream of events, and calls that name it. It subscribes again when the stream
 * ends, also when heartbeats stay away. Events arrive on one thread, in order.
 */
public final class SchedulerStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerStream.class);
    private static final Duration RETRY = Duration.ofMillis(500);
    /** Another scheduler has the framework: two of them must not push each other out in turns. */
    private static final Duration RETRY_FAILED_OVER = Duration.ofSeconds(30);

    private static final int MISSED_HEARTBEATS = 3;

    /** What happens on the stream. */
    public interface Listener {
        /** @param frameworkId of this subscription, new or kept */
        void subscribed(String frameworkId);

        /** An event that is neither SUBSCRIBED, HEARTBEAT nor ERROR. */
        void event(JsonNode event);

        /** The framework is gone for the master: the next subscription makes another one. */
        void frameworkRemoved();

        /** The subscription ended, or could not be made. */
        void lost(String reason);
    }

    private final MasterConnection masters;
    private final FrameworkInfo framework;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Subscription subscription;
    private volatile long lastRecord;
    private volatile double heartbeatSeconds;

    private record Subscription(String streamId, String frameworkId, InputStream body) {}

    /** @param framework how it subscribes; its id is read before each attempt */
    public SchedulerStream(MasterConnection masters, FrameworkInfo framework, Listener listener) {
        this.masters = masters;
        this.framework = framework;
        this.listener = listener;
        thread = new Thread(this::run, "mesos-stream");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    public boolean isSubscribed() {
        return subscription != null;
    }

    /** @throws MesosException nothing is subscribed now, or the master refused the call */
    public void call(ObjectNode call) throws IOException, InterruptedException {
        Subscription current = subscription;
        if (current == null) {
            throw new MesosException("not subscribed to the master " + masters.master());
        }
        call.set("framework_id", SchedulerCalls.value(current.frameworkId()));
        masters.call(call, current.streamId());
    }

    /** Ends a stream whose heartbeats stay away. To be called from time to time. */
    public void endIfDead() {
        Subscription current = subscription;
        double silent = (System.nanoTime() - lastRecord) / 1e9;
        if (current != null && silent > MISSED_HEARTBEATS * heartbeatSeconds) {
            LOG.warn("no heartbeat of the master {} for {} s", masters.master(), (long) silent);
            close(current.body());
        }
    }

    private void run() {
        while (!closed) {
            Duration pause = RETRY;
            try {
                pause = follow();
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    listener.lost(String.valueOf(e.getMessage()));
                }
            } catch (InterruptedException e) {
                return;
            } finally {
                subscription = null;
            }
            try {
                Thread.sleep(pause.toMillis());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Reads one stream to its end, which is an exception unless the master says why. */
    private Duration follow() throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = masters.subscribe(framework.subscribe());
        try (InputStream body = answer.body()) {
            String streamId = answer.headers()
                    .firstValue(MasterConnection.STREAM_ID)
                    .orElseThrow(() -> new MesosException("the master gave the stream no id"));
            RecordReader records = new RecordReader(body);
            while (!closed) {
                JsonNode event = MasterConnection.parse(records.next());
                lastRecord = System.nanoTime();
                switch (event.path("type").asText()) {
                    case "SUBSCRIBED" -> subscribed(event.path("subscribed"), streamId, body);
                    case "HEARTBEAT" -> {}
                    case "ERROR" -> {
                        return ended(event.path("error").path("message").asText());
                    }
                    default -> listener.event(event);
                }
            }
        }
        return Duration.ZERO;
    }

    private void subscribed(JsonNode event, String streamId, InputStream body) {
        String id = event.path("framework_id").path("value").asText();
        heartbeatSeconds = event.path("heartbeat_interval_seconds").asDouble(15);
        subscription = new Subscription(streamId, id, body);
        listener.subscribed(id);
    }

    private Duration ended(String reason) {
        if (reason.contains("has been removed")) {
            listener.frameworkRemoved();
            return Duration.ZERO;
        }
        listener.lost(reason);
        return RETRY_FAILED_OVER;
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("the stream cannot be closed", e);
        }
    }

    /** The framework stays with its tasks, until its failover timeout. */
    @Override
    public void close() {
        closed = true;
        Subscription current = subscription;
        subscription = null;
        if (current != null) {
            close(current.body());
        }
        thread.interrupt();
    }
}
