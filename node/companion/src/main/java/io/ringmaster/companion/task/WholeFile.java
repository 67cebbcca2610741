package io.ringmaster.companion.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files for the transfer program, or for the next start of a task. */
final class WholeFile {
    private WholeFile() {}

    /** Writes it whole and durably, or not at all. */
    static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
