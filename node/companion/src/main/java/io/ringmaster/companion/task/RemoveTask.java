package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.CompanionThreads;
import io.ringmaster.companion.cassandra.RemovalStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.service.StorageService;

/**
 * Removes the dead node with the host id in {@code host} from the ring. Progress is in bytes of the active streams.
 *
 * <p>Cassandra waits without an end for a new replica that went down meanwhile. Then the task says so, and a stop ends
 * the task alone: Cassandra goes on with the removal, and a later task for the same node takes it up. To force its end
 * would leave a new replica without the rows of its ranges.
 */
final class RemoveTask implements TaskBody {
    private static final Duration POLL = Duration.ofMillis(500);

    /** The removals at work in this daemon, by the host id. */
    private static final Map<String, FutureTask<Void>> REMOVALS = new ConcurrentHashMap<>();

    private final String host;
    private final Ring ring;

    /** The ring as this node sees it. */
    interface Ring {
        /** Whether a member has the host id. */
        boolean hasMember(String host);

        /** Returns when each new replica that was up at the start says that it has the rows. */
        void remove(String host);

        /** Those that have not said it and are down. */
        List<String> silentReplicas();
    }

    RemoveTask(Map<String, String> args) {
        this(args, new CassandraRing());
    }

    RemoveTask(Map<String, String> args, Ring ring) {
        if (!args.containsKey("host")) {
            throw new IllegalArgumentException("host is missing: the host id of the dead node");
        }
        this.host = args.get("host");
        this.ring = ring;
    }

    @Override
    public String run(Progress progress) throws Exception {
        progress.expect(0, "bytes");
        // Cassandra resumes a removal that a restart of this daemon interrupted; after its end the host id is unknown
        if (!ring.hasMember(host)) {
            return host + " is no longer in the ring";
        }
        FutureTask<Void> removal = REMOVALS.computeIfAbsent(host, this::start);
        while (!progress.isStopped()) {
            progress.at(activity(ring.silentReplicas()), () -> RebuildTask.streamed(progress));
            try {
                removal.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
                return removed();
            } catch (TimeoutException e) {
                // it goes on
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        return "stopped; Cassandra goes on to remove " + host + " from the ring";
    }

    private FutureTask<Void> start(String ofHost) {
        FutureTask<Void> removal = new FutureTask<>(
                () -> {
                    try {
                        ring.remove(ofHost);
                    } finally {
                        REMOVALS.remove(ofHost);
                    }
                },
                null);
        CompanionThreads.start("ringmaster-removal", removal);
        return removal;
    }

    private String activity(List<String> silent) {
        return silent.isEmpty()
                ? "the replicas stream the ranges of " + host
                : "waits for " + String.join(", ", silent) + ", which is down";
    }

    private String removed() {
        if (ring.hasMember(host)) {
            throw new IllegalStateException(
                    "Cassandra ended the removal of " + host + ", which is still in the ring: its log says more");
        }
        return host + " was removed from the ring";
    }

    @Override
    public void stop() {}

    private static final class CassandraRing implements Ring {
        @Override
        public boolean hasMember(String host) {
            return StorageService.instance.getTokenMetadata().getEndpointForHostId(UUID.fromString(host)) != null;
        }

        @Override
        public void remove(String host) {
            StorageService.instance.removeNode(host);
        }

        @Override
        public List<String> silentReplicas() {
            return RemovalStatus.silentReplicas();
        }
    }
}
