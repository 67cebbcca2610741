package io.ringmaster.lab.ring;

import io.ringmaster.lab.machine.Processor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A start of a {@link ManagedRing}, watched from outside: from the moment when the kernel forks the first executor
 * until every node sees every node NORMAL, asked over CQL of each node.
 *
 * @param seconds between these two
 * @param command seconds of the whole command, with servers and checks
 * @param daemonsCpu processor seconds of the Cassandra daemons until the end
 * @param executorsCpu of the executors
 * @param serversCpu of the servers, from the first executor on
 * @param residentBytes of one Cassandra daemon
 */
public record ManagedStart(
        double seconds, double command, double daemonsCpu, double executorsCpu, double serversCpu, long residentBytes) {
    private static final int NODES = 3;
    private static final List<String> DATACENTERS = List.of("dc1", "dc2");
    private static final long PAUSE_MS = 50;

    /**
     * Starts two datacenters of three nodes, which is the playground's default. With {@link ManagedRing#TLS} nodes let
     * nobody in who has no login, so the end is that of the command, which comes later.
     *
     * @param options more options of {@code ringmaster playground}
     */
    public static ManagedStart of(ManagedRing ring, String... options) throws IOException, InterruptedException {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            double commanded = Processor.uptimeSeconds();
            Future<ManagedRing> up = thread.submit(() -> ring.up(options));
            List<Long> servers = await("io.ringmaster.server.ServerMain", DATACENTERS.size(), ring, up);
            double serversBefore = Processor.sum(servers);
            long first =
                    await("io.ringmaster.executor.ExecutorMain", 1, ring, up).get(0);
            double begin = Processor.startedAt(first);
            if (List.of(options).contains(ManagedRing.TLS)) {
                result(up);
            } else {
                awaitAllNormal(ring, up);
            }
            double seconds = Processor.uptimeSeconds() - begin;
            List<Long> daemons = all(ring, true);
            double daemonsCpu = Processor.sum(daemons);
            double executorsCpu = Processor.sum(all(ring, false));
            double serversCpu = Processor.sum(servers) - serversBefore;
            long resident = Processor.residentBytes(daemons.get(0));
            result(up);
            double command = Processor.uptimeSeconds() - commanded;
            return new ManagedStart(seconds, command, daemonsCpu, executorsCpu, serversCpu, resident);
        } finally {
            thread.shutdownNow();
        }
    }

    /** Processor seconds of everything that belongs to the cluster. */
    public double cpuSeconds() {
        return daemonsCpu + executorsCpu + serversCpu;
    }

    private static List<Long> all(ManagedRing ring, boolean daemons) throws IOException {
        List<Long> pids = new ArrayList<>();
        for (String datacenter : DATACENTERS) {
            pids.addAll(daemons ? ring.daemons(datacenter) : ring.executors(datacenter));
        }
        return pids;
    }

    /** The oldest processes of this program, as soon as there are enough. */
    private static List<Long> await(String program, int count, ManagedRing ring, Future<ManagedRing> up)
            throws IOException, InterruptedException {
        while (true) {
            List<Long> found = Processor.running(program, ring.home());
            if (found.size() >= count) {
                return found.stream().sorted().toList();
            }
            pause(up);
        }
    }

    private static void awaitAllNormal(ManagedRing ring, Future<ManagedRing> up)
            throws IOException, InterruptedException {
        for (int datacenter = 1; datacenter <= DATACENTERS.size(); datacenter++) {
            for (int node = 1; node <= NODES; node++) {
                while (Probe.normalNodes(ring.loopback(datacenter, node)) < DATACENTERS.size() * NODES) {
                    pause(up);
                }
            }
        }
    }

    /** Ends the wait when the command has failed. */
    private static void pause(Future<ManagedRing> up) throws IOException, InterruptedException {
        if (up.isDone()) {
            result(up);
        }
        Thread.sleep(PAUSE_MS);
    }

    private static void result(Future<ManagedRing> up) throws IOException, InterruptedException {
        try {
            up.get();
        } catch (ExecutionException e) {
            throw new IOException("the playground did not start: " + e.getCause(), e);
        }
    }
}
