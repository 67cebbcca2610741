package io.ringmaster.playground.wan;

import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that two processes share: whoever reads sees the old or the new content, never half of one. */
final class WholeFile {
    private WholeFile() {}

    static void write(Path file, byte[] content) throws IOException {
        Path fresh = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".new");
        Files.write(fresh, content);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(file), type);
        } catch (UncheckedIOException e) {
            throw new IOException(file + " cannot be understood: " + e.getMessage(), e);
        }
    }
}
