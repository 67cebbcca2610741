package io.ringmaster.transfer;

import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.transfer.UploadJournal.Line;
import io.ringmaster.transfer.UploadJournal.Sent;
import io.ringmaster.transfer.UploadJournal.Start;
import io.ringmaster.transfer.UploadJournal.Stored;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far an upload was when its program ended. */
final class UploadState {
    private @Nullable Start start;
    private @Nullable List<String> snapshot;
    private @Nullable String done;
    private final Set<String> paths = new HashSet<>();
    private long bytes;

    /** @param sent takes the blobs that this upload put */
    UploadState(UploadJournal journal, BlobTable sent) throws IOException {
        journal.read((line, offset, length) -> take(line, sent));
    }

    private void take(Line line, BlobTable table) {
        start = line.start() == null ? start : line.start();
        snapshot = line.snapshot() == null ? snapshot : line.snapshot();
        done = line.done() == null ? done : line.done();
        Sent sent = line.sent();
        if (sent != null) {
            table.add(sent.blob(), sent.size());
        }
        List<Stored> files = line.files();
        if (files != null) {
            files.forEach(stored -> {
                paths.add(stored.file().path());
                bytes += stored.file().size();
            });
        }
    }

    /** Null if no intent was put. */
    @Nullable
    Start start() {
        return start;
    }

    /** The paths of all files of the snapshot; null if they were not listed yet, and all are there. */
    @Nullable
    List<String> snapshot() {
        return snapshot;
    }

    /** The message of the finished upload; null if it is not finished. */
    @Nullable
    String done() {
        return done;
    }

    /** Whether the blobs of a file are all in the store. */
    boolean isStored(String path) {
        return paths.contains(path);
    }

    /** Of all stored files. */
    long bytes() {
        return bytes;
    }
}
