package io.ringmaster.model.record;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * What a server read of the backup that a cluster starts from, so that every datacenter decides on the same.
 *
 * @param cassandra the newest version of Cassandra among its nodes
 * @param cutAt when its last snapshot was complete
 * @param rocksDB whether it has tables of the RocksDB engine
 * @param datacenters in the order of its spec
 * @param nodes all of them
 */
public record RestoreOrigin(
        String cassandra, Instant cutAt, boolean rocksDB, List<DatacenterName> datacenters, List<Node> nodes) {
    /** Time for the first repair, on top of the time for which the data lay still. */
    private static final Duration UNTIL_REPAIRED = Duration.ofDays(10);

    public RestoreOrigin {
        datacenters = List.copyOf(datacenters);
        nodes = List.copyOf(nodes);
    }

    /**
     * A node of the backup.
     *
     * @param node by the name of its cluster
     * @param bytes of its files
     * @param manifest the hash of its manifest
     * @param needsCleanup whether it has rows of ranges that it did not own any more
     */
    public record Node(
            NodeId node, RackName rack, List<String> tokens, long bytes, String manifest, boolean needsCleanup) {
        public Node {
            tokens = List.copyOf(tokens);
        }

        /** Whether a node with these tokens takes its data. */
        public boolean owns(List<String> others) {
            return Set.copyOf(tokens).equals(Set.copyOf(others));
        }
    }

    /** The nodes of one datacenter, in the order of their indexes. */
    public List<Node> nodesOf(DatacenterName datacenter) {
        return nodes.stream()
                .filter(n -> n.node().datacenter().equals(datacenter))
                .sorted(Comparator.comparing(Node::node))
                .toList();
    }

    /** The size of the largest node in bytes. */
    public long largest() {
        return nodes.stream().mapToLong(Node::bytes).max().orElse(0);
    }

    /** The age of the data, in whole days rounded up. */
    public long ageDays(Instant restoredAt) {
        Duration age = Duration.between(cutAt, restoredAt);
        return age.isNegative() ? 0 : age.toDays() + 1;
    }

    /**
     * The seconds by which {@code gc_grace_seconds} is raised: a tombstone that a replica lacks must not be removed
     * from the others before the first repair.
     */
    public long graceSeconds(Instant restoredAt) {
        return Duration.ofDays(ageDays(restoredAt)).plus(UNTIL_REPAIRED).toSeconds();
    }
}
