package io.ringmaster.transfer;

import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.slice.FileIdentity;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.transfer.UploadJournal.Line;
import io.ringmaster.transfer.UploadJournal.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hashes of files that former uploads of this node read, from their journals: a file with an equal key need not be
 * read again. Only the places of the lines are in memory.
 */
final class KnownHashes {
    private record Place(Path journal, long offset, int length) {}

    private final Map<FileIdentity, Place> places = new HashMap<>();

    /** Adds the files of a journal; a damaged one is left out, which costs only time. */
    void add(Path journal) throws IOException {
        try {
            UploadJournal.read(journal, (line, offset, length) -> {
                var place = new Place(journal, offset, length);
                files(line).forEach(stored -> places.put(stored.key(), place));
            });
        } catch (UncheckedIOException e) {
            System.err.println(journal + " is damaged: " + ThrowableText.of(e));
        }
    }

    /** A file with the same bytes, as a former upload listed it. */
    Optional<FileEntry> find(FileIdentity key) throws IOException {
        Place place = places.get(key);
        if (place == null) {
            return Optional.empty();
        }
        return files(UploadJournal.read(place.journal, place.offset, place.length)).stream()
                .filter(stored -> stored.key().equals(key))
                .map(Stored::file)
                .findFirst();
    }

    private static List<Stored> files(Line line) {
        List<Stored> files = line.files();
        return files == null ? List.of() : files;
    }
}
