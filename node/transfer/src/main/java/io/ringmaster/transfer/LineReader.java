package io.ringmaster.transfer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a file as bytes, because their places in the file count. */
final class LineReader implements Closeable {
    private final InputStream in;

    LineReader(Path file) throws IOException {
        in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    /** The next line without its end; null if no whole line is left. */
    byte @Nullable [] next() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return line.toByteArray();
            }
            line.write(b);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
