package io.ringmaster.model.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Every parameter of cassandra.yaml in Cassandra 5.0, current and former names: path, kind, detail, current path and
 * missing unit. A test of the companion compares the file with Cassandra's own classes.
 */
public final class CassandraTable {
    private static final String FILE = "cassandra-5.0.tsv";

    private CassandraTable() {}

    /** The rows, of five columns each. */
    public static List<List<String>> rows() {
        try (InputStream file = CassandraTable.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + " is not on the class path");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split("\t", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("read " + FILE, e);
        }
    }
}
