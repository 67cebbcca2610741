package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.slice.BlobTable;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Names of blobs on disk, in a file for each first hex digit, so that only a sixteenth of them is in memory. */
final class BlobNames implements Closeable {
    static final List<String> DIGITS =
            IntStream.range(0, 16).mapToObj(Integer::toHexString).toList();

    private final Path directory;
    private final Map<String, BufferedWriter> writers = new HashMap<>();

    BlobNames(Path directory) throws IOException {
        this.directory = directory;
        for (String digit : DIGITS) {
            writers.put(digit, Files.newBufferedWriter(file(digit)));
        }
    }

    void add(BlobName blob) throws IOException {
        BufferedWriter writer = writers.get(blob.hash().substring(0, 1));
        if (writer == null) {
            throw new IllegalArgumentException(blob + " is no hash");
        }
        writer.write(blob.toString());
        writer.newLine();
    }

    /** Those that start with the digit; only after this is closed. */
    BlobTable table(String digit) throws IOException {
        var table = new BlobTable();
        try (BufferedReader lines = Files.newBufferedReader(file(digit))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                table.add(BlobName.parse(line), 0);
            }
        }
        return table;
    }

    private Path file(String digit) {
        return directory.resolve("blobs-" + digit);
    }

    @Override
    public void close() throws IOException {
        for (BufferedWriter writer : writers.values()) {
            writer.close();
        }
    }
}
