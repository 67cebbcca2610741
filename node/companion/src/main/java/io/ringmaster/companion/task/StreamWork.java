package io.ringmaster.companion.task;

import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.streaming.StreamManager;

/** What streams whole ranges from or to other nodes; its progress is in bytes of the streams that go now. Cassandra cannot stop it. */
final class StreamWork implements Work {
    enum Kind {
        /** From the datacenter in {@code from}, the keyspaces in {@code keyspaces}. */
        REBUILD,
        DECOMMISSION
    }

    private final Kind kind;
    private final Map<String, String> args;

    StreamWork(Kind kind, Map<String, String> args) {
        if (kind == Kind.REBUILD && !args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to stream from");
        }
        this.kind = kind;
        this.args = args;
    }

    @Override
    public String run(Progress progress) throws Exception {
        if (kind == Kind.DECOMMISSION) {
            progress.expect(0, "bytes");
            progress.at("streams its ranges to their new owners", () -> streamed(progress));
            StorageService.instance.decommission(false);
            return "left the ring";
        }
        List<String> keyspaces = Tables.keyspaces(args);
        for (String keyspace : keyspaces) {
            if (progress.isStopped()) {
                break;
            }
            progress.at("streams " + keyspace + " from " + args.get("from"), () -> streamed(progress));
            StorageService.instance.rebuild(args.get("from"), keyspace, null, null);
        }
        return keyspaces.size() + " keyspaces rebuilt from " + args.get("from");
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
