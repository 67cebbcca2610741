package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.pool.mesos.api.FrameworkId;
import io.ringmaster.pool.mesos.api.FrameworkInfo;
import io.ringmaster.pool.mesos.api.MasterConnection;
import io.ringmaster.pool.mesos.api.SchedulerStream;
import io.ringmaster.pool.mesos.command.ClusterWatch;
import io.ringmaster.pool.mesos.command.Feedback;
import io.ringmaster.pool.mesos.command.MasterCalls;
import io.ringmaster.pool.mesos.command.OfferBook;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool's subscription: sends calls, and hands the events of its stream on. Each event is a reason to take another
 * picture.
 */
final class Subscription implements SchedulerStream.Listener, MasterCalls, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    private final FrameworkId id;
    private final ClusterWatch watch;
    private final SchedulerStream stream;
    private final OfferBook offers;
    private final Feedback feedback;
    private final CountDownLatch subscribed = new CountDownLatch(1);
    private volatile String lost = "";

    Subscription(MasterConnection masters, MesosPoolSettings settings, FrameworkId id, ClusterWatch watch) {
        this.id = id;
        this.watch = watch;
        stream = new SchedulerStream(masters, new FrameworkInfo(settings, id), this);
        offers = new OfferBook(this, settings.role());
        feedback = new Feedback(this);
    }

    OfferBook offers() {
        return offers;
    }

    Feedback feedback() {
        return feedback;
    }

    /** @throws IOException no master has answered within the limit; the message says why */
    void open(Duration limit) throws IOException, InterruptedException {
        stream.start();
        if (!subscribed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            String reason = lost.isEmpty() ? "no master answers" : lost;
            throw new IOException(
                    reason.startsWith(MesosPoolSettings.SECTION)
                            ? reason
                            : MesosPoolSettings.SECTION + ".masters: " + reason);
        }
    }

    /**
     * To be called from time to time.
     *
     * @return why nothing is subscribed now; empty if something is
     */
    String ended() {
        stream.endIfDead();
        return stream.isSubscribed() ? "" : "no master of Mesos is followed: " + lost;
    }

    @Override
    public void call(ObjectNode call) throws IOException, InterruptedException {
        stream.call(call);
    }

    @Override
    public void subscribed() {
        lost = "";
        offers.subscribed();
        watch.touch();
        subscribed.countDown();
    }

    @Override
    public void event(JsonNode event) {
        switch (event.path("type").asText()) {
            case "OFFERS" -> offers.offered(event.path("offers").path("offers"));
            case "RESCIND" ->
                offers.rescinded(
                        event.path("rescind").path("offer_id").path("value").asText());
            case "UPDATE" -> {
                watch.touch();
                feedback.task(event.path("update").path("status"));
            }
            case "UPDATE_OPERATION_STATUS" -> {
                watch.touch();
                feedback.operation(event.path("update_operation_status").path("status"));
            }
            default -> watch.touch();
        }
    }

    /** Reservations and volumes stay with the role, and are adopted by their labels. */
    @Override
    public void frameworkRemoved() {
        LOG.warn("Mesos has removed the framework {}: subscribes as another one", id);
        id.replace();
    }

    @Override
    public void lost(String reason) {
        if (!lost.equals(reason)) {
            LOG.warn("the subscription ended: {}", reason);
        }
        lost = reason;
    }

    @Override
    public void close() {
        stream.close();
    }
}
