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
import java.util.Map;

/** Names of blobs on disk, in a file for each first hex digit, so that only a sixteenth of them is in memory. */
final class BlobNames implements Closeable {
    static final String DIGITS = "0123456789abcdef";

    private final Path directory;
    private final Map<Character, BufferedWriter> writers = new HashMap<>();

    BlobNames(Path directory) throws IOException {
        this.directory = directory;
        for (char digit : DIGITS.toCharArray()) {
            writers.put(digit, Files.newBufferedWriter(file(digit)));
        }
    }

    void add(BlobName blob) throws IOException {
        BufferedWriter writer = writers.get(blob.hash().charAt(0));
        if (writer == null) {
            throw new IllegalArgumentException(blob + " is no hash");
        }
        writer.write(blob.toString());
        writer.newLine();
    }

    /** Those that start with the digit; only after this is closed. */
    BlobTable table(char digit) throws IOException {
        var table = new BlobTable();
        try (BufferedReader lines = Files.newBufferedReader(file(digit))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                table.add(BlobName.parse(line), 0);
            }
        }
        return table;
    }

    private Path file(char digit) {
        return directory.resolve("blobs-" + digit);
    }

    @Override
    public void close() throws IOException {
        for (BufferedWriter writer : writers.values()) {
            writer.close();
        }
    }
}
