package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tries every 100 ms at each node to get in, without a login and as Cassandra's default superuser, from the moment that
 * the node's CQL port opens.
 */
final class Intruder implements AutoCloseable {
    private static final long EVERY_MS = 100;
    private static final String DEFAULT = "cassandra";

    private final ScheduledExecutorService threads;
    /** Refused attempts as the default superuser, by node. */
    private final Map<Path, Integer> refused = new ConcurrentHashMap<>();
    /** Attempts that a node let in, by what was tried. */
    private final Map<String, Integer> letIn = new ConcurrentHashMap<>();

    /** @param allocations of the nodes; they need not exist yet */
    Intruder(List<Path> allocations) {
        threads = Executors.newScheduledThreadPool(allocations.size());
        for (Path allocation : allocations) {
            Future<?> unused =
                    threads.scheduleWithFixedDelay(() -> tryAt(allocation), 0, EVERY_MS, TimeUnit.MILLISECONDS);
        }
    }

    Map<Path, Integer> refused() {
        return Map.copyOf(refused);
    }

    Map<String, Integer> letIn() {
        return Map.copyOf(letIn);
    }

    private void tryAt(Path allocation) {
        if (!Files.exists(allocation.resolve("volume/conf/cassandra.yaml"))) {
            return;
        }
        try {
            InetSocketAddress endpoint = CqlPort.of(allocation).endpoint();
            if (CqlLoginAttempt.as(endpoint, DEFAULT, DEFAULT)) {
                letIn.merge(DEFAULT, 1, Integer::sum);
            } else {
                refused.merge(allocation, 1, Integer::sum);
            }
            if (CqlLoginAttempt.anonymous(endpoint)) {
                letIn.merge("nobody", 1, Integer::sum);
            }
        } catch (IOException | UncheckedIOException | AssertionError closed) {
            // the port is not open, or its configuration is being written
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
