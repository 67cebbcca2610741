package io.ringmaster.backup.repository;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * All tables and files of one node in one backup: lines of JSON in gzip, first the tables. It is read and written as a
 * stream, because a node of 1 TiB has 6 MiB of it.
 */
public final class FileList implements Closeable {
    private record Line(@Nullable TableEntry table, @Nullable FileEntry file) {}

    /** What is done with each line. */
    @FunctionalInterface
    public interface Visitor {
        default void table(TableEntry table) throws IOException, InterruptedException {}

        void file(FileEntry file) throws IOException, InterruptedException;
    }

    private final GZIPOutputStream out;

    /** Writes a list to a stream. */
    public FileList(OutputStream out) throws IOException {
        this.out = new GZIPOutputStream(out, 1 << 16);
    }

    public void add(TableEntry table) throws IOException {
        write(new Line(table, null));
    }

    public void add(FileEntry file) throws IOException {
        write(new Line(null, file));
    }

    private void write(Line line) throws IOException {
        out.write(Json.bytes(line));
        out.write('\n');
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** @throws DamagedException if a line is not of a list */
    public static void read(InputStream in, Visitor visitor) throws IOException, InterruptedException {
        var lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in, 1 << 16), StandardCharsets.UTF_8), 1 << 16);
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            Line line = parse(text);
            if (line.table != null) {
                visitor.table(line.table);
            }
            if (line.file != null) {
                visitor.file(line.file);
            }
        }
    }

    private static Line parse(String text) throws DamagedException {
        try {
            return Json.parse(text, Line.class);
        } catch (UncheckedIOException e) {
            throw new DamagedException("a file list is damaged: " + ThrowableText.of(e), e);
        }
    }
}
