package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.cassandra.RingCopy;
import io.ringmaster.companion.cassandra.RingDelay;
import java.time.Duration;
import java.util.Optional;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Leaves the ring. Waits while a member is down, however late the order came. Progress is in bytes of the active
 * streams. Cassandra cannot stop it once it streams.
 */
final class DecommissionTask implements TaskBody {
    private static final Duration MEMBER_POLL = Duration.ofSeconds(1);

    private final Node node;

    /** This node in its ring. */
    interface Node {
        /** The endpoint of a member that is down, if there is one. */
        Optional<String> memberDown();

        /** Streams the ranges of this node to their new owners. Cassandra may return without that, and says nothing. */
        void leave() throws InterruptedException;

        /** Cassandra's name of it. */
        String mode();
    }

    DecommissionTask() {
        this(new CassandraNode());
    }

    DecommissionTask(Node node) {
        this.node = node;
    }

    @Override
    public String run(Progress progress) throws Exception {
        if (!awaitMembers(progress)) {
            return "stopped before it left";
        }
        progress.expect(0, "bytes");
        Thread thread = Thread.currentThread();
        progress.at(() -> leaving(thread.getStackTrace()), () -> RebuildTask.streamed(progress));
        node.leave();
        String mode = node.mode();
        if (!mode.equals("DECOMMISSIONED")) {
            throw new IllegalStateException("Cassandra has not left the ring, the node is " + mode
                    + ": another decommission may be at work -> retry the plan; Cassandra's log says more");
        }
        return "left the ring";
    }

    static String leaving(StackTraceElement[] stack) {
        return RingDelay.of(stack).orElse("streams its ranges to their new owners");
    }

    /**
     * The server gives the order while all members are up. A crash or a lost message may lie between that and now, and
     * what a member that is down keeps as hints, or alone has, would not reach the new owners.
     *
     * @return false if the task was stopped meanwhile
     */
    private boolean awaitMembers(Progress progress) throws InterruptedException {
        while (!progress.isStopped()) {
            Optional<String> down = node.memberDown();
            if (down.isEmpty()) {
                return true;
            }
            progress.at("waits for " + down.get() + ", which is down", () -> 0);
            Thread.sleep(MEMBER_POLL.toMillis());
        }
        return false;
    }

    @Override
    public void stop() {}

    private static final class CassandraNode implements Node {
        @Override
        public Optional<String> memberDown() {
            return StorageService.instance.getTokenMetadata().getAllMembers().stream()
                    .filter(e -> !FailureDetector.instance.isAlive(e))
                    .findFirst()
                    .map(InetAddressAndPort::getHostAddressAndPort);
        }

        @Override
        public void leave() throws InterruptedException {
            requireReplicas();
            StorageService.instance.decommission(true);
        }

        @Override
        public String mode() {
            return StorageService.instance.getOperationMode();
        }

        /**
         * Checks that enough nodes stay for the replicas of each user keyspace. Cassandra's own check also counts its
         * system keyspaces and Ringmaster's, whose replication users cannot lower.
         */
        private static void requireReplicas() {
            String datacenter = DatabaseDescriptor.getLocalDataCenter();
            int staying = RingCopy.afterAllLeft().othersIn(datacenter, FBUtilities.getBroadcastAddressAndPort());
            for (String keyspace : Tables.userKeyspaces()) {
                int replicas = OpenKeyspaces.open(keyspace)
                        .map(Keyspace::getReplicationStrategy)
                        .filter(NetworkTopologyStrategy.class::isInstance)
                        .map(NetworkTopologyStrategy.class::cast)
                        .map(topology -> topology.getReplicationFactor(datacenter).allReplicas)
                        .orElse(0);
                if (replicas > staying) {
                    throw new IllegalStateException("keyspace " + keyspace + " has " + replicas + " replicas in "
                            + datacenter + ", but only " + staying + " nodes would stay");
                }
            }
        }
    }
}
