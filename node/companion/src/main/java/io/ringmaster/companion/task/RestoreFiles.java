package io.ringmaster.companion.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;

/**
 * The files that the transfer program fetched for a restore: {@code restore/<backup>} of the volume, which is the
 * directory that Cassandra runs in. The tables of users are restored, and those of no other keyspace: roles and
 * permissions are those of the cluster that exists.
 */
record RestoreFiles(Path directory) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern HEX = Pattern.compile("(.{8})(.{4})(.{4})(.{4})(.{12})");

    /** A keyspace, type, function, aggregate, table, index or view of the schema, and the statements that make it. */
    record Element(String keyspace, String type, String name, List<String> statements) {
        String label() {
            return type + " " + name;
        }

        /** Whether it is built from the rows of a table, and made when those are there. */
        boolean isBuiltFromRows() {
            return type.equals("index") || isView();
        }

        boolean isView() {
            return type.equals("materialized view");
        }

        /** The keyspace as Cassandra knows it: {@code DESCRIBE} quotes names where CQL needs it. */
        String unquotedKeyspace() {
            return CqlText.unquoted(keyspace);
        }

        /** The name within the keyspace, as Cassandra knows it. */
        String unquotedName() {
            return CqlText.unquoted(name.substring(keyspace.length() + 1));
        }
    }

    /**
     * A table of the backup.
     *
     * @param directory of its files, which is missing if the table has none
     */
    record Table(String keyspace, String name, TableId id, Path directory) {
        String label() {
            return keyspace + "." + name;
        }

        /** The files that the RocksDB engine reads. */
        Path rocksdb() {
            return directory.resolve("rocksdb");
        }
    }

    /** @throws IllegalArgumentException the argument {@code backup}, the id of the backup, is missing or no name */
    static RestoreFiles of(Map<String, String> args) {
        return new RestoreFiles(Path.of("restore", SnapshotTask.backup(args)));
    }

    /** Exists after the schema is made; with the message for people. */
    Path schemaMade() {
        return directory.resolve("schema.txt");
    }

    /** Exists after all files are imported; with the message for people. */
    Path imported() {
        return directory.resolve("imported.txt");
    }

    /** The text of a mark, if it exists. */
    static Optional<String> read(Path mark) throws IOException {
        return Files.exists(mark) ? Optional.of(Files.readString(mark)) : Optional.empty();
    }

    static void write(Path mark, String message) throws IOException {
        WholeFile.write(mark, message.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws IllegalStateException the transfer program has not fetched all files */
    void requireFetched() {
        if (!Files.exists(directory.resolve("fetched.txt"))) {
            throw new IllegalStateException("the files of the backup " + directory.getFileName()
                    + " are not on this volume: " + directory.resolve("fetched.txt") + " is missing");
        }
    }

    /** The schema, in the order in which it can be made. */
    List<Element> schema() throws IOException {
        List<Element> elements = new ArrayList<>();
        for (JsonNode one : JSON.readTree(directory.resolve("schema.json").toFile())) {
            if (isOfUsers(one.path("keyspace").asText())) {
                elements.add(new Element(
                        one.path("keyspace").asText(),
                        one.path("type").asText().replace('_', ' '),
                        name(one),
                        CqlText.split(one.path("statement").asText())));
            }
        }
        return elements;
    }

    /** The indexes and views of the schema. */
    List<Element> builtFromRows() throws IOException {
        return schema().stream().filter(Element::isBuiltFromRows).toList();
    }

    private static String name(JsonNode element) {
        String keyspace = element.path("keyspace").asText();
        String name = element.path("name").asText();
        return element.path("type").asText().equalsIgnoreCase("keyspace") ? keyspace : keyspace + "." + name;
    }

    /** Without the views, which backups of former versions have too. */
    List<Table> tables() throws IOException {
        Set<String> views = schema().stream()
                .filter(Element::isView)
                .map(view -> view.unquotedKeyspace() + "." + view.unquotedName())
                .collect(Collectors.toSet());
        List<Table> tables = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(directory.resolve("list.json.gz"))),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode table = JSON.readTree(line).path("table");
                if (!table.isObject()) {
                    break; // the tables come before the files
                }
                if (isOfUsers(table.path("keyspace").asText())
                        && !views.contains(table.path("keyspace").asText() + "."
                                + table.path("table").asText())) {
                    tables.add(table(table));
                }
            }
        }
        return tables;
    }

    private Table table(JsonNode table) {
        String keyspace = table.path("keyspace").asText();
        String name = table.path("table").asText();
        String id = table.path("id").asText().replace("-", "");
        return new Table(
                keyspace,
                name,
                TableId.fromString(HEX.matcher(id).replaceFirst("$1-$2-$3-$4-$5")),
                directory.resolve(keyspace).resolve(name + "-" + id));
    }

    /** Deletes the files of all tables; the marks stay. */
    void deleteTables() throws IOException {
        try (DirectoryStream<Path> keyspaces = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (Path keyspace : keyspaces) {
                delete(keyspace);
            }
        }
    }

    static void delete(Path directory) {
        org.apache.cassandra.io.util.File tree = new org.apache.cassandra.io.util.File(directory);
        if (tree.exists()) {
            tree.deleteRecursive();
        }
    }

    private static boolean isOfUsers(String keyspace) {
        return !keyspace.equals(Tables.OWN_KEYSPACE) && !SchemaConstants.isSystemKeyspace(keyspace);
    }
}
