package io.ringmaster.transfer;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.RingEntry;
import io.ringmaster.backup.repository.TableEntry;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What Cassandra wrote beside its snapshot, {@code snapshot.json}.
 *
 * @param cassandra its version
 * @param from when the snapshot was started, and {@code to} when it was complete
 * @param schema in the order in which it can be made
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record SnapshotInfo(
        BackupId backup,
        String hostId,
        String cassandra,
        Instant from,
        Instant to,
        String schemaVersion,
        List<RingEntry> ring,
        List<TableEntry> tables,
        List<Statement> schema) {
    /**
     * A statement that makes a part of the schema.
     *
     * @param type of that part: {@code table}
     */
    record Statement(@Nullable String keyspace, String type, String name, String statement) {}

    SnapshotInfo {
        hostId = hostId.toLowerCase(Locale.ROOT);
        ring = List.copyOf(ring);
        tables = List.copyOf(tables);
        schema = List.copyOf(schema);
    }

    Cut cut() {
        return new Cut(from, to);
    }

    /** @throws TransferFailure if the snapshot is not on this volume, or belongs to another backup */
    static SnapshotInfo read(Path file, BackupId backup) throws IOException {
        try {
            SnapshotInfo info = Json.parse(Files.readAllBytes(file), SnapshotInfo.class);
            if (!info.backup.equals(backup)) {
                throw new TransferFailure(file + " belongs to the backup " + info.backup);
            }
            if (info.ring.stream().noneMatch(member -> member.hostId().equals(info.hostId))) {
                throw new TransferFailure("the node " + info.hostId + " did not see itself in the ring");
            }
            return info;
        } catch (NoSuchFileException e) {
            throw new TransferFailure("the snapshot of the backup " + backup + " is not on this volume: " + file
                    + " is missing -> run the backup again");
        } catch (UncheckedIOException e) {
            throw new IOException(file + " is damaged: " + ThrowableText.of(e), e);
        }
    }
}
