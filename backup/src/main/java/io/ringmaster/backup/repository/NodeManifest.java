package io.ringmaster.backup.repository;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One node's part of a backup.
 *
 * @param cassandra the version of Cassandra
 * @param cut when the snapshot was taken
 * @param needsCleanup whether it had rows of ranges that it did not own any more
 * @param ring all members that the node saw
 * @param bytes of all files
 * @param newBytes of the blobs that this backup sent
 * @param list of all files
 * @param schema the statements that make keyspaces, types, functions, tables, in that order
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NodeManifest(
        BackupId backup,
        NodeName node,
        String hostId,
        String cassandra,
        Cut cut,
        String schemaVersion,
        boolean needsCleanup,
        List<RingEntry> ring,
        long bytes,
        long files,
        long newBytes,
        BlobReference list,
        BlobReference schema) {
    public NodeManifest {
        hostId = hostId.toLowerCase(Locale.ROOT);
        ring = ring.stream().sorted(Comparator.comparing(RingEntry::hostId)).toList();
    }

    /** This node in the ring; empty if it did not see itself. */
    public Optional<RingEntry> self() {
        return ring.stream().filter(member -> member.hostId().equals(hostId)).findFirst();
    }
}
