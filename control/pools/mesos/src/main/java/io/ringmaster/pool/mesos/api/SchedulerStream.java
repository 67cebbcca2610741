package io.ringmaster.pool.mesos.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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
    private static final String PRINCIPAL = MesosPoolSettings.SECTION + ".principal: ";
    private static final String PRINCIPAL_WAY_OUT =
            "set the former principal again, or end the framework first; see docs/mesos.md, Change user or principal";

    /** What happens on the stream. */
    public interface Listener {
        /** The master has accepted the subscription; earlier offers are void. */
        void subscribed();

        /** An event that is neither SUBSCRIBED, HEARTBEAT nor ERROR. */
        void event(JsonNode event);

        /** The framework is gone for the master, which accepts its id no more. */
        void frameworkRemoved();

        /** The subscription ended, or could not be made. */
        void lost(String reason);
    }

    private final MasterConnection masters;
    private final FrameworkInfo framework;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean closed;
    /** That calls belong to; null while nothing is subscribed. */
    private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();
    /** The stream that is read, also before the master says that it is subscribed. */
    private volatile @Nullable InputStream reading;

    private volatile long lastRecord;
    private volatile double heartbeatSeconds = 15;

    private record Subscription(MasterConnection.Stream stream, String frameworkId) {}

    /** @param framework how it subscribes; its id is stored before each attempt */
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
        return subscription.get() != null;
    }

    /**
     * Sends a call to the master of this stream. One that fails ends the stream: nobody knows whether it arrived, and a
     * master takes all offers back at the next subscription, so that none is held for ever.
     *
     * @throws MesosException nothing is subscribed now, or the master refused the call
     */
    public void call(ObjectNode call) throws IOException, InterruptedException {
        Subscription current = subscription.get();
        if (current == null) {
            throw new MesosException("not subscribed to the master " + masters.master());
        }
        call.set("framework_id", SchedulerCalls.value(current.frameworkId()));
        try {
            masters.call(call, current.stream());
        } catch (IOException e) {
            if (!closed) {
                LOG.warn("subscribes again, since a call failed: {}", ThrowableText.of(e));
            }
            subscription.compareAndSet(current, null);
            close(current.stream().body());
            throw e;
        }
    }

    /** Ends a stream whose heartbeats stay away. To be called from time to time. */
    public void endIfDead() {
        InputStream current = reading;
        double silent = (System.nanoTime() - lastRecord) / 1e9;
        if (current != null && silent > MISSED_HEARTBEATS * heartbeatSeconds) {
            LOG.warn("no heartbeat of the master {} for {} s", masters.master(), (long) silent);
            close(current);
        }
    }

    private void run() {
        while (!closed) {
            Duration pause = RETRY;
            try {
                pause = follow();
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    listener.lost(ThrowableText.of(e));
                }
            } catch (InterruptedException e) {
                return;
            } finally {
                subscription.set(null);
                reading = null;
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
        MasterConnection.Stream stream = masters.subscribe(framework.subscribe());
        try (InputStream body = stream.body()) {
            lastRecord = System.nanoTime();
            reading = body;
            RecordReader records = new RecordReader(body);
            while (!closed) {
                JsonNode event = MasterConnection.parse(records.next());
                lastRecord = System.nanoTime();
                switch (event.path("type").asText()) {
                    case "SUBSCRIBED" -> subscribed(event.path("subscribed"), stream);
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

    private void subscribed(JsonNode event, MasterConnection.Stream stream) {
        heartbeatSeconds = event.path("heartbeat_interval_seconds").asDouble(heartbeatSeconds);
        subscription.set(new Subscription(
                stream, event.path("framework_id").path("value").asText()));
        listener.subscribed();
    }

    private Duration ended(String reason) {
        if (reason.contains("has been removed")) {
            listener.frameworkRemoved();
            return Duration.ZERO;
        }
        listener.lost(
                reason.contains("principal is not allowed") ? PRINCIPAL + reason + " -> " + PRINCIPAL_WAY_OUT : reason);
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
        subscription.set(null);
        InputStream current = reading;
        if (current != null) {
            close(current);
        }
        thread.interrupt();
    }
}
