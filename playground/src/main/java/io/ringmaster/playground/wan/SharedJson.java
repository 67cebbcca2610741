package io.ringmaster.playground.wan;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * JSON files that the command and the packet process share. A reader sees the old or the new content, never a part of
 * it.
 */
final class SharedJson {
    private SharedJson() {}

    static void write(Path file, Object value) throws IOException {
        DurableFiles.write(file, Json.bytes(value));
    }

    static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(file), type);
        } catch (UncheckedIOException e) {
            throw new IOException(file + " cannot be parsed: " + e.getMessage(), e);
        }
    }
}
