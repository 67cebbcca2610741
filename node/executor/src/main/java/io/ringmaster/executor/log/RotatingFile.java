package io.ringmaster.executor.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A log file of limited size; the file before it is kept as {@code <name>.1}. */
public final class RotatingFile {
    private final Path file;
    private final Path previous;
    private final long maxBytes;

    public RotatingFile(Path file, long maxBytes) {
        this.file = file;
        this.previous = file.resolveSibling(file.getFileName() + ".1");
        this.maxBytes = maxBytes;
    }

    /** Appends the text. A full disk loses it here; standard output still has it. */
    public synchronized void append(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            long size = size();
            if (size > 0 && size + bytes.length > maxBytes) {
                Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // a failed log line must not stop the supervisor
        }
    }

    private long size() throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
