package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.cassandra.RingCopy;
import io.ringmaster.companion.cassandra.RingDelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import javax.management.openmbean.CompositeData;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.metrics.StreamingMetrics;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamManager;
import org.apache.cassandra.utils.FBUtilities;

/** Streams whole ranges between nodes. Progress is in bytes of the active streams. Cassandra cannot stop a stream. */
final class StreamTask implements TaskBody {
    enum Kind {
        /**
         * Streams the keyspaces in {@code keyspaces} from the datacenter in {@code from}; by default all keyspaces that
         * are replicated in both datacenters.
         */
        REBUILD,
        /** Leaves the ring. Waits while a member is down, however late the order came. */
        DECOMMISSION,
        /** Removes the dead node with the host id in {@code host}. */
        REMOVE
    }

    private static final Duration MEMBER_POLL = Duration.ofSeconds(1);

    /** New tables may be dropped without an end. */
    private static final int MAX_DROPS = 20;

    private final Kind kind;
    private final Map<String, String> args;
    private final Supplier<Optional<String>> memberDown;

    StreamTask(Kind kind, Map<String, String> args) {
        this(kind, args, StreamTask::memberDown);
    }

    /** @param memberDown the endpoint of a member that is down, if there is one */
    StreamTask(Kind kind, Map<String, String> args, Supplier<Optional<String>> memberDown) {
        if (kind == Kind.REBUILD && !args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to stream from");
        }
        if (kind == Kind.REMOVE && !args.containsKey("host")) {
            throw new IllegalArgumentException("host is missing: the host id of the dead node");
        }
        this.kind = kind;
        this.args = args;
        this.memberDown = memberDown;
    }

    @Override
    public String run(Progress progress) throws Exception {
        return switch (kind) {
            case REBUILD -> rebuild(progress);
            case DECOMMISSION -> {
                if (!awaitMembers(progress)) {
                    yield "stopped before it left";
                }
                progress.expect(0, "bytes");
                Thread thread = Thread.currentThread();
                progress.at(() -> leaving(thread.getStackTrace()), () -> streamed(progress));
                requireReplicas();
                StorageService.instance.decommission(true);
                yield "left the ring";
            }
            case REMOVE -> remove(progress);
        };
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
            Optional<String> down = memberDown.get();
            if (down.isEmpty()) {
                return true;
            }
            progress.at("waits for " + down.get() + ", which is down", () -> 0);
            Thread.sleep(MEMBER_POLL.toMillis());
        }
        return false;
    }

    private static Optional<String> memberDown() {
        return StorageService.instance.getTokenMetadata().getAllMembers().stream()
                .filter(e -> !FailureDetector.instance.isAlive(e))
                .findFirst()
                .map(InetAddressAndPort::getHostAddressAndPort);
    }

    private String remove(Progress progress) {
        String host = Objects.requireNonNull(args.get("host"), "the constructor requires it");
        progress.expect(0, "bytes");
        progress.at("the replicas stream the ranges of " + host, () -> streamed(progress));
        // Cassandra resumes a removal that a restart of this daemon interrupted; after its end the host id is unknown
        if (StorageService.instance.getTokenMetadata().getEndpointForHostId(UUID.fromString(host)) == null) {
            return host + " is no longer in the ring";
        }
        StorageService.instance.removeNode(host);
        return host + " was removed from the ring";
    }

    private String rebuild(Progress progress) throws Exception {
        String from = Objects.requireNonNull(args.get("from"), "the constructor requires it");
        List<String> keyspaces = args.containsKey("keyspaces")
                ? Tables.keyspaces(args)
                : Tables.replicatedIn(DatabaseDescriptor.getLocalDataCenter(), from);
        long before = StreamingMetrics.totalIncomingBytes.getCount();
        int rebuilt = 0;
        for (String keyspace : keyspaces) {
            if (progress.isStopped()) {
                break;
            }
            progress.at("streams " + keyspace + " from " + from, () -> streamed(progress));
            rebuilt += rebuildUnlessDropped(from, keyspace) ? 1 : 0;
        }
        long bytes = StreamingMetrics.totalIncomingBytes.getCount() - before;
        return rebuilt + (rebuilt == 1 ? " keyspace" : " keyspaces") + " rebuilt from " + from + ", " + bytes
                + " bytes streamed" + Tables.missing(args);
    }

    /**
     * Streams the keyspace, again if one of its tables was dropped meanwhile.
     *
     * @return false if the keyspace was dropped
     */
    static boolean rebuildUnlessDropped(String from, String keyspace) throws Exception {
        return streamUnlessDropped(
                keyspace,
                () -> OpenKeyspaces.open(keyspace).map(k -> k.getColumnFamilyStores().stream()
                        .map(Tables::id)
                        .toList()),
                tables -> OpenKeyspaces.unlessDropped(tables, () -> {
                    rebuild(from, keyspace);
                    return true;
                }));
    }

    /** The work on the tables of a keyspace; empty if one of them was dropped meanwhile. */
    interface Streaming {
        Optional<Boolean> of(List<TableId> tables) throws Exception;
    }

    /** @param tables those of the keyspace now, new ones included; empty if it is not there */
    static boolean streamUnlessDropped(String keyspace, Supplier<Optional<List<TableId>>> tables, Streaming streaming)
            throws Exception {
        for (int drops = 0; drops < MAX_DROPS; drops++) {
            Optional<List<TableId>> now = tables.get();
            if (now.isEmpty()) {
                return false;
            }
            if (streaming.of(now.get()).isPresent()) {
                return true;
            }
        }
        throw new IllegalStateException("tables of keyspace " + keyspace + " were dropped during each of " + MAX_DROPS
                + " attempts to stream it; Cassandra's log has what each of them said");
    }

    private static void rebuild(String from, String keyspace) {
        StorageService.instance.rebuild(from, keyspace, null, null);
        // Cassandra skips ranges that it streamed before: right for a retry after a failure, wrong for a new rebuild
        SystemKeyspace.resetAvailableStreamedRangesForKeyspace(keyspace);
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

    /** Returns the bytes streamed and updates the total, which grows while Cassandra plans streams. */
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
