package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.management.openmbean.CompositeData;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.metrics.StreamingMetrics;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamManager;

/**
 * Streams the keyspaces in {@code keyspaces} from the datacenter in {@code from}; by default all keyspaces that are
 * replicated in both datacenters. Progress is in bytes of the active streams. Cassandra cannot stop a stream.
 */
final class RebuildTask implements TaskBody {
    /** New tables may be dropped without an end. */
    private static final int MAX_DROPS = 20;

    private final Map<String, String> args;
    private final String from;

    RebuildTask(Map<String, String> args) {
        if (!args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to stream from");
        }
        this.args = args;
        this.from = args.get("from");
    }

    @Override
    public String run(Progress progress) throws Exception {
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

    /** Returns the bytes streamed and updates the total, which grows while Cassandra plans streams. */
    static long streamed(Progress progress) {
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
