package io.ringmaster.executor.state;

import io.ringmaster.executor.log.Log;
import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file in which the executor keeps one record. One that is damaged never keeps it from its node. */
public final class RecordFile {
    /** Reads a record. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * @return null if the text holds none
         * @throws UncheckedIOException the text is damaged
         */
        @Nullable
        T parse(byte[] json);
    }

    private RecordFile() {}

    /**
     * Reads a record. A damaged one is kept aside, as {@code <name>.damaged}, and counts as missing.
     *
     * @param instead what happens without the record, for the log
     * @throws IOException the file is there and cannot be read
     */
    public static <T> Optional<T> read(Path file, Parser<T> parser, String instead) throws IOException {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            T parsed = parser.parse(content);
            if (parsed != null) {
                return Optional.of(parsed);
            }
            keepAside(file, "it holds no record", instead);
        } catch (UncheckedIOException e) {
            keepAside(file, String.valueOf(e.getCause()), instead);
        }
        return Optional.empty();
    }

    /** Renames a damaged file, so that a person can look at it and nothing reads it again. */
    public static void keepAside(Path file, String reason, String instead) {
        Path aside = file.resolveSibling(file.getFileName() + ".damaged");
        Log.info(file + " is damaged and kept as " + aside + ": " + reason + "; " + instead);
        try {
            DurableFiles.move(file, aside);
        } catch (IOException e) {
            Log.info(file + " could not be kept, and is overwritten: " + e);
        }
    }
}
