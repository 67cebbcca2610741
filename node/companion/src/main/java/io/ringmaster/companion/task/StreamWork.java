package io.ringmaster.companion.task;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.management.openmbean.CompositeData;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.metrics.StreamingMetrics;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamManager;

/** What streams whole ranges from or to other nodes; its progress is in bytes of the streams that go now. Cassandra cannot stop it. */
final class StreamWork implements Work {
    enum Kind {
        /** From the datacenter in {@code from}, the keyspaces in {@code keyspaces}; default: all that name both datacenters in their replication. */
        REBUILD,
        DECOMMISSION,
        /** Of the dead node with the host id in {@code host}. */
        REMOVE
    }

    private final Kind kind;
    private final Map<String, String> args;

    StreamWork(Kind kind, Map<String, String> args) {
        if (kind == Kind.REBUILD && !args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to stream from");
        }
        if (kind == Kind.REMOVE && !args.containsKey("host")) {
            throw new IllegalArgumentException("host is missing: the host id of the dead node");
        }
        this.kind = kind;
        this.args = args;
    }

    @Override
    public String run(Progress progress) throws Exception {
        return switch (kind) {
            case REBUILD -> rebuild(progress);
            case DECOMMISSION -> {
                progress.expect(0, "bytes");
                progress.at("streams its ranges to their new owners", () -> streamed(progress));
                requireReplicas();
                StorageService.instance.decommission(true);
                yield "left the ring";
            }
            case REMOVE -> remove(progress);
        };
    }

    private String remove(Progress progress) {
        String host = args.get("host");
        progress.expect(0, "bytes");
        progress.at("the others stream what " + host + " held", () -> streamed(progress));
        // asked again after this daemon died in the middle, Cassandra goes on; after the end it knows nobody of that id
        if (StorageService.instance.getTokenMetadata().getEndpointForHostId(UUID.fromString(host)) == null) {
            return host + " is in the ring no more";
        }
        StorageService.instance.removeNode(host);
        return host + " was taken out of the ring";
    }

    private String rebuild(Progress progress) {
        String from = args.get("from");
        List<String> keyspaces = args.containsKey("keyspaces")
                ? Tables.keyspaces(args)
                : Tables.keptIn(DatabaseDescriptor.getLocalDataCenter(), from);
        long before = StreamingMetrics.totalIncomingBytes.getCount();
        int rebuilt = 0;
        for (String keyspace : keyspaces) {
            if (progress.isStopped()) {
                break;
            }
            progress.at("streams " + keyspace + " from " + from, () -> streamed(progress));
            rebuild(from, keyspace);
            rebuilt++;
        }
        long bytes = StreamingMetrics.totalIncomingBytes.getCount() - before;
        return rebuilt + (rebuilt == 1 ? " keyspace" : " keyspaces") + " rebuilt from " + from + ", " + bytes
                + " bytes streamed";
    }

    static void rebuild(String from, String keyspace) {
        StorageService.instance.rebuild(from, keyspace, null, null);
        // Cassandra leaves out what it has streamed before: right when it is tried again after a failure, wrong
        // when it is asked for anew
        SystemKeyspace.resetAvailableStreamedRangesForKeyspace(keyspace);
    }

    /**
     * Enough nodes must stay for the replicas of each keyspace of the users. Cassandra's own check counts its system keyspaces and
     * Ringmaster's too, which nobody can lower.
     */
    private static void requireReplicas() {
        String datacenter = DatabaseDescriptor.getLocalDataCenter();
        int staying = StorageService.instance
                        .getTokenMetadata()
                        .getTopology()
                        .getDatacenterEndpoints()
                        .get(datacenter)
                        .size()
                - 1;
        for (String keyspace : Tables.ofUsers()) {
            AbstractReplicationStrategy strategy = Keyspace.open(keyspace).getReplicationStrategy();
            int replicas = strategy instanceof NetworkTopologyStrategy topology
                    ? topology.getReplicationFactor(datacenter).allReplicas
                    : 0;
            if (replicas > staying) {
                throw new IllegalStateException("keyspace " + keyspace + " has " + replicas + " replicas in "
                        + datacenter + ", and " + staying + " nodes would stay");
            }
        }
    }

    /** It sets the total too: that grows as streams are planned. */
    private static long streamed(Progress progress) {
        long done = 0;
        long total = 0;
        for (CompositeData stream : StreamManager.instance.getCurrentStreams()) {
            done += number(stream, "currentRxBytes") + number(stream, "currentTxBytes");
            total += number(stream, "totalRxBytes") + number(stream, "totalTxBytes");
        }
        progress.expect(total, "bytes");
        return done;
    }

    private static long number(CompositeData stream, String key) {
        return stream.containsKey(key) && stream.get(key) instanceof Number n ? n.longValue() : 0;
    }

    @Override
    public void stop() {}
}
