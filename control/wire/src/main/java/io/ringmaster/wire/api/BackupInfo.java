package io.ringmaster.wire.api;

import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A backup of a cluster, as its manifest says. The cluster may be gone.
 *
 * @param incarnation of the cluster, see {@code SpecRecord}
 * @param id of the backup, such as {@code 20261124T040000Z-3f9c}
 * @param from when the first node took its snapshot
 * @param to when the last one did
 * @param bytes the size of all files
 * @param newBytes how much of it the location did not have before
 * @param damaged why it cannot be restored, or null; all that its manifest would say is 0 then, and both times are that
 *     of its id
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
        @Nullable String damaged) {

    /** @param spec of the cluster at that time, as its user wrote it */
    public record Details(BackupInfo backup, String spec, List<Node> nodes) {
        public Details {
            nodes = List.copyOf(nodes);
        }
    }

    /** @param node {@code dc1/node-0} */
    public record Node(String node, String rack, long bytes, long files, long newBytes) {}
}
