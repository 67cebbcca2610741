package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.Clocks;
import io.ringmaster.model.request.IdTime;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A backup of a cluster, as its manifest says. The cluster may be gone. Of a damaged backup only the names are known;
 * its times are that of its id.
 *
 * @param incarnation of the cluster, see {@code SpecRecord}
 * @param id of the backup, such as {@code 20261124T040000Z-3f9c}
 * @param from when the first node took its snapshot
 * @param to when the last one did
 * @param bytes the size of all files
 * @param newBytes how much of it the location did not have before
 * @param problem why it cannot be restored; null for a sound backup
 */
public record BackupInfo(
        ClusterName cluster,
        String incarnation,
        String id,
        Instant from,
        Instant to,
        int nodes,
        long bytes,
        long newBytes,
        @Nullable String problem) {

    /** A sound backup. */
    public BackupInfo(
            ClusterName cluster,
            String incarnation,
            String id,
            Instant from,
            Instant to,
            int nodes,
            long bytes,
            long newBytes) {
        this(cluster, incarnation, id, from, to, nodes, bytes, newBytes, null);
    }

    /** A backup whose manifest cannot be read. */
    public static BackupInfo damaged(ClusterName cluster, String incarnation, String id, Instant at, String problem) {
        return new BackupInfo(cluster, incarnation, id, at, at, 0, 0, 0, problem);
    }

    /** Whether a clock was wrong when it was requested: backups are ordered by their ids. */
    public boolean isOfFuture(Instant now) {
        return Clocks.isOfFuture(IdTime.of(id), now);
    }

    /** @param spec of the cluster at that time, as its user wrote it */
    public record Details(BackupInfo backup, String spec, List<Node> nodes) {
        public Details {
            nodes = List.copyOf(nodes);
        }
    }

    /** @param node {@code dc1/node-0} */
    public record Node(String node, String rack, long bytes, long files, long newBytes) {}
}
