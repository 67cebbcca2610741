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

/**
 * The last seed answer on disk, replaced atomically: after a crash the file holds the old or the new answer. It makes a
 * node a seed only at the endpoint that it was given to: a node that has moved is found by nobody at its new one, and
 * would serve in a ring of its own if the others have moved too.
 */
final class SeedCache {
    private static final Logger LOG = LoggerFactory.getLogger(SeedCache.class);

    private final Path file;
    private final String endpoint;

    /** @param endpoint {@code address:storage_port} of the node that asks */
    SeedCache(Path file, String endpoint) {
        this.file = file;
        this.endpoint = endpoint;
    }

    /** @param moved whether an answer that was given to another endpoint will do */
    Optional<SeedAnswer> read(boolean moved) {
        try {
            String json = Files.readString(file);
            SeedAnswer answer = SeedAnswer.parse(json);
            // files of former releases do not name it
            String givenTo = Jackson.MAPPER.readTree(json).path("endpoint").asText(endpoint);
            boolean isHere = givenTo.equals(endpoint);
            return Optional.of(isHere ? answer : answer.withoutItself()).filter(a -> a.isUsable() && (isHere || moved));
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
            String json = answer.json(endpoint);
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
