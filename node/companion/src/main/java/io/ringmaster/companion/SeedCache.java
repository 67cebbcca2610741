package io.ringmaster.companion;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last seed answer on disk, replaced atomically: after a crash the file holds the old or the new answer. */
final class SeedCache {
    private static final Logger LOG = LoggerFactory.getLogger(SeedCache.class);

    private final Path file;

    SeedCache(Path file) {
        this.file = file;
    }

    Optional<SeedAnswer> read() {
        try {
            SeedAnswer answer = SeedAnswer.parse(Files.readString(file));
            return Optional.of(answer).filter(SeedAnswer::isUsable);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOG.warn("Cannot use the cached seeds in {}: {}", file, e.toString());
            return Optional.empty();
        }
    }

    /** Logs a failure without throwing: the answer is usable even if it cannot be cached. */
    void write(SeedAnswer answer) {
        try {
            String json = answer.json();
            if (Files.exists(file) && Files.readString(file).equals(json)) {
                return;
            }
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, json);
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("Cannot cache the seeds in {}: {}", file, e.toString());
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
