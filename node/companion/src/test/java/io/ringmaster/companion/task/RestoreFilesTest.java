package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.task.RestoreFiles.Element;
import io.ringmaster.companion.task.RestoreFiles.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoreFilesTest {
    private static final String HEX = "5a1c395eb41f11e59f22ba0be0483c18";

    @TempDir
    Path directory;

    private RestoreFiles files;

    @BeforeEach
    void prepare() {
        files = new RestoreFiles(directory);
    }

    @Test
    void tables_of_users_are_restored_and_no_others() throws Exception {
        Files.writeString(
                directory.resolve("schema.json"),
                """
                [{"keyspace": "\\"Upper\\"", "type": "materialized_view", "name": "\\"By\\"", "statement": "CREATE ..."}]
                """);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve("list.json.gz")))) {
            for (String line : List.of(
                    table("trips", "place", "sstable"),
                    table("system_auth", "roles", "sstable"),
                    table("ringmaster", "probe", "sstable"),
                    table("Upper", "Case", "rocksdb"),
                    table("Upper", "By", "sstable"),
                    "{\"file\":{\"table\":\"trips/place-" + HEX + "\",\"name\":\"nb-1-big-Data.db\"}}")) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        TableId id = TableId.fromString("5a1c395e-b41f-11e5-9f22-ba0be0483c18");
        assertThat(files.tables())
                .containsExactly(
                        new Table("trips", "place", id, directory.resolve("trips/place-" + HEX)),
                        new Table("Upper", "Case", id, directory.resolve("Upper/Case-" + HEX)));
    }

    private static String table(String keyspace, String name, String engine) {
        return "{\"table\":{\"keyspace\":\"" + keyspace + "\",\"table\":\"" + name + "\",\"id\":\"" + HEX
                + "\",\"engine\":\"" + engine + "\",\"sstables\":[]}}";
    }

    @Test
    void the_schema_keeps_its_order_and_lacks_the_keyspaces_of_the_system() throws Exception {
        Files.writeString(
                directory.resolve("schema.json"),
                """
                [{"keyspace": "trips", "type": "keyspace", "name": "trips", "statement": "CREATE KEYSPACE trips;"},
                 {"keyspace": "ringmaster", "type": "table", "name": "probe", "statement": "CREATE TABLE ..."},
                 {"keyspace": "system_auth", "type": "table", "name": "roles", "statement": "CREATE TABLE ..."},
                 {"keyspace": "trips", "type": "materialized_view", "name": "v", "statement": "A;\\nB;"}]
                """);
        assertThat(files.schema())
                .containsExactly(
                        new Element("trips", "keyspace", "trips", List.of("CREATE KEYSPACE trips")),
                        new Element("trips", "materialized view", "trips.v", List.of("A", "B")));
    }

    @Test
    void indexes_and_views_are_built_from_rows_and_have_names_that_cassandra_knows() {
        Element view = new Element("\"Upper\"", "materialized view", "\"Upper\".\"By\"", List.of());
        assertThat(List.of(view.unquotedKeyspace(), view.unquotedName())).containsExactly("Upper", "By");
        Element index = new Element("trips", "index", "trips.by_city", List.of());
        assertThat(List.of(index.unquotedKeyspace(), index.unquotedName())).containsExactly("trips", "by_city");
        assertThat(List.of(view.isBuiltFromRows(), index.isBuiltFromRows(), view.isView(), index.isView()))
                .containsExactly(true, true, true, false);
        assertThat(new Element("trips", "table", "trips.place", List.of()).isBuiltFromRows())
                .isFalse();
    }

    @Test
    void nothing_is_restored_before_all_files_are_there() {
        Map<String, String> grace = Map.of("grace_seconds", "1");
        for (TaskBody task : List.of(
                new RestoreImportTask(files),
                new RestoreSchemaTask(files, grace),
                new RestoreIndexesTask(files, grace),
                new RestoreBuildsTask(files))) {
            assertThatThrownBy(() -> task.run(new Progress()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("are not on this volume")
                    .hasMessageContaining("fetched.txt is missing");
        }
    }

    @Test
    void a_schema_that_is_made_is_not_made_again() throws Exception {
        Files.writeString(directory.resolve("fetched.txt"), "");
        Files.writeString(files.schemaMade(), "made before");
        assertThat(new RestoreSchemaTask(files, Map.of("grace_seconds", "1")).run(new Progress()))
                .isEqualTo("made before");
    }

    @Test
    void an_import_that_is_done_deletes_what_is_left_of_the_files_and_keeps_its_marks() throws Exception {
        Files.writeString(directory.resolve("fetched.txt"), "");
        RestoreFiles.write(files.imported(), "imported before");
        write(directory.resolve("trips/place-" + HEX + "/nb-1-big-Data.db"));
        write(directory.resolve("system_auth/roles-" + HEX + "/nb-1-big-Data.db"));
        assertThat(new RestoreImportTask(files).run(new Progress())).isEqualTo("imported before");
        assertThat(directory.resolve("trips")).doesNotExist();
        assertThat(directory.resolve("system_auth")).doesNotExist();
        assertThat(files.imported()).exists();
        assertThat(directory.resolve("fetched.txt")).exists();
    }

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "bytes");
    }

    @Test
    void arguments_are_checked() {
        assertThatThrownBy(() -> TaskTypes.of("RESTORE_IMPORT", Map.of("backup", "../data")))
                .hasMessage("backup '../data' must be the id of a backup");
        assertThatThrownBy(() -> TaskTypes.of("RESTORE_SCHEMA", Map.of("backup", "b")))
                .hasMessage("grace_seconds '' must be a number of seconds");
        assertThat(TaskTypes.of("RESTORE_SCHEMA", Map.of("backup", "b", "grace_seconds", "864000")))
                .isInstanceOf(RestoreSchemaTask.class);
    }
}
