package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tries four times a second at each node to get in, without a login and as Cassandra's default superuser, from before
 * the node's CQL port opens.
 */
final class Intruder implements AutoCloseable {
    /** Each attempt is a handshake, whose processor time the nodes need to start. */
    private static final long EVERY_MS = 250;

    private static final long ATTEMPT_SECONDS = 20;
    private static final String DEFAULT = "cassandra";

    private final ScheduledExecutorService threads;
    /** The nodes that have refused the default superuser. */
    private final Set<Path> refused = ConcurrentHashMap.newKeySet();
    /** Attempts that a node let in, and what no attempt should end with. */
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    /** @param allocations of the nodes; they need not exist yet */
    Intruder(List<Path> allocations) {
        threads = Executors.newScheduledThreadPool(allocations.size());
        for (Path allocation : allocations) {
            Future<?> unused =
                    threads.scheduleWithFixedDelay(() -> tryAt(allocation), 0, EVERY_MS, TimeUnit.MILLISECONDS);
        }
    }

    Set<Path> refused() {
        return Set.copyOf(refused);
    }

    List<String> surprises() {
        return List.copyOf(surprises);
    }

    private void tryAt(Path allocation) {
        try {
            Optional<InetSocketAddress> endpoint = endpoint(allocation);
            if (endpoint.isPresent()) {
                tryAt(allocation, endpoint.get());
            }
        } catch (IOException closed) {
            // the port is not open
        } catch (RuntimeException e) {
            surprises.add(allocation + ": " + e); // it would end the attempts
        }
    }

    private void tryAt(Path allocation, InetSocketAddress endpoint) throws IOException {
        if (CqlLoginAttempt.as(endpoint, DEFAULT, DEFAULT)) {
            surprises.add(allocation + " let in the default superuser");
        } else {
            refused.add(allocation);
        }
        if (CqlLoginAttempt.anonymous(endpoint)) {
            surprises.add(allocation + " let in a client without a login");
        }
    }

    /** Empty while the node has no configuration, or it is being written. */
    private static Optional<InetSocketAddress> endpoint(Path allocation) {
        if (!Files.exists(allocation.resolve("volume/conf/cassandra.yaml"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(CqlPort.of(allocation).endpoint());
        } catch (UncheckedIOException | AssertionError beingWritten) {
            return Optional.empty();
        }
    }

    /** Ends once no attempt runs. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(ATTEMPT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("an attempt does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
