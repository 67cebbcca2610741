package io.ringmaster.integration;

import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** A ring of three nodes on three machines of a platform, under an open-loop load at LOCAL_QUORUM. */
abstract class PoolRing implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(8);
    static final String NAME = "rides";
    static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: production
            datacenters: {dc1: {nodes: 3}}
            node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            """
                    + TwoCores.SPEC;
    static final int NODES = 3;
    private static final Duration FINDING = Duration.ofMinutes(1);

    final PoolServer server;
    final OpenLoopLoad load;
    private final Runnable platformEnd;

    /**
     * @param spec what the platform's spec has beside {@link #SPEC}
     * @param platformEnd ends the platform, also if the ring does not come up
     */
    PoolRing(Supplier<PoolServer> start, String spec, Runnable platformEnd) {
        this.platformEnd = platformEnd;
        try {
            server = start.get();
        } catch (RuntimeException | AssertionError e) {
            platformEnd.run();
            throw e;
        }
        try {
            server.declare(SPEC + spec);
            // the password of its role is there once it is whole
            ClusterStatus whole = server.whole(NAME, NODES, SOON);
            load = OpenLoopLoad.on(server.access(NAME), whole, "dc1:" + NODES);
        } catch (RuntimeException | AssertionError e) {
            server.close();
            platformEnd.run();
            throw e;
        }
    }

    ClusterStatus whole() {
        return server.whole(NAME, NODES, SOON);
    }

    NodeState node(int index) {
        return node(server.status(NAME), index);
    }

    static NodeState node(ClusterStatus status, int index) {
        return status.datacenters().get(0).nodes().get(index);
    }

    /** What the platform calls the node. */
    static String allocation(int index) {
        return NAME + "-dc1-node-" + index;
    }

    /** Waits for a finding with these words, which comes half a minute after its cause, and later on a busy machine. */
    void says(String words) {
        Patience.until(
                "a finding: " + words, FINDING, () -> server.status(NAME).findings(), findings -> findings.stream()
                        .anyMatch(f -> f.message().contains(words)));
    }

    /** What the platform runs, by the names of the allocations; what was started again is another one. */
    abstract Map<String, String> launches();

    /** The launches with their daemons; a daemon that was started again is another one. */
    Map<String, String> runs() {
        Map<String, String> runs = launches();
        for (NodeState n : server.status(NAME).datacenters().get(0).nodes()) {
            runs.merge(allocation(n.node().index()), " " + n.hostId() + " " + n.exits() + n.stagesAt(), String::concat);
        }
        return runs;
    }

    @Override
    public void close() {
        try (server;
                load) {
            // each is closed, the last one first, whatever becomes of the others
        } finally {
            platformEnd.run();
        }
    }
}
