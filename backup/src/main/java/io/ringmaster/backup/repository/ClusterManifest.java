package io.ringmaster.backup.repository;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;

/**
 * A backup of a cluster. It names the node manifests by their hashes, and these name everything else by hashes: the
 * hash of this document, which is the commit mark, stands for the whole backup.
 *
 * @param cut when the snapshots were taken
 * @param datacenters in the order of the spec
 * @param spec of the cluster at that time, as its user wrote it
 * @param bytes of all files of all nodes
 * @param newBytes of the blobs that this backup sent
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ClusterManifest(
        int format,
        BackupId id,
        ClusterName cluster,
        String incarnation,
        Cut cut,
        List<DatacenterName> datacenters,
        List<Member> nodes,
        String spec,
        BlobReference schema,
        long bytes,
        long newBytes) {
    public ClusterManifest {
        datacenters = List.copyOf(datacenters);
        nodes = List.copyOf(nodes);
    }

    /**
     * A node of a backup.
     *
     * @param needsCleanup whether it had rows of ranges that it did not own any more
     * @param manifest the hash of its node manifest
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Member(
            NodeName node,
            String hostId,
            RackName rack,
            List<String> tokens,
            String cassandra,
            boolean needsCleanup,
            long bytes,
            long files,
            long newBytes,
            String manifest) {
        public Member {
            tokens = List.copyOf(tokens);
        }

        /** @param self the node in the ring */
        public static Member of(NodeManifest node, RingEntry self, String hash) {
            return new Member(
                    node.node(),
                    node.hostId(),
                    self.rack(),
                    self.tokens(),
                    node.cassandra(),
                    node.needsCleanup(),
                    node.bytes(),
                    node.files(),
                    node.newBytes(),
                    hash);
        }
    }
}
