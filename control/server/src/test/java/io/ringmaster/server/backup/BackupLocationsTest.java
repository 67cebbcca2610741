package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.api.LocationInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupLocationsTest {
    @TempDir
    private Path folder;

    private Path directory;
    private BackupLocations locations;

    @BeforeEach
    void empty() throws IOException {
        Files.createDirectory(folder.resolve("store"));
        directory = folder.resolve("locations");
        locations = new BackupLocations(directory);
    }

    private static LocationAsk s3(String url, @Nullable String endpoint, @Nullable String credentials) {
        return new LocationAsk(url, endpoint, null, credentials);
    }

    private String store() {
        return "file://" + folder.resolve("store");
    }

    private List<String> files() throws IOException {
        try (var list = Files.list(directory)) {
            return list.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void an_added_location_is_a_file_that_only_its_owner_reads() throws IOException {
        assertThat(locations.list().items()).isEmpty();
        locations.add("main", s3("s3://backups/rides", "https://s3.example.net", "file:main.key"));
        assertThat(files()).containsExactly("main.yaml");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("main.yaml"))))
                .isEqualTo("rw-------");
        assertThat(locations.list().items())
                .containsExactly(new LocationInfo("main", "s3://backups/rides", "https://s3.example.net", null));
        assertThat(locations.require("to", "main").url()).hasToString("s3://backups/rides");
    }

    @ParameterizedTest
    @CsvSource({
        "main, ftp://backups, url",
        "../main, file:///tmp, name",
        "Main, file:///tmp, name",
        "main, s3://backups, credentials",
    })
    void a_wrong_location_is_refused_and_leaves_nothing(String name, String url, String named) throws IOException {
        assertThatThrownBy(() -> locations.add(name, s3(url, url.startsWith("s3") ? "https://s3" : null, null)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContainingAll(named)
                .hasMessageNotContaining(".adding");
        assertThat(Files.exists(directory) ? files() : List.of()).isEmpty();
    }

    @Test
    void a_folder_gets_its_marker_and_one_that_is_missing_is_refused() throws IOException {
        assertThatThrownBy(() -> locations.add("main", s3("file:///nowhere/at/all", null, null)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("url: the folder /nowhere/at/all does not exist");
        assertThat(files()).isEmpty();
        locations.add("main", s3(store(), null, null));
        assertThat(folder.resolve("store/ringmaster+location")).exists();
    }

    @Test
    void a_value_is_no_second_field() {
        assertThatThrownBy(() -> locations.add("main", s3("file:///nowhere'\nendpoint: 'https://evil", null, null)))
                .isInstanceOf(ProblemException.class);
        assertThat(locations.list().items()).isEmpty();
    }

    @Test
    void a_location_is_not_replaced() {
        locations.add("main", s3(store(), null, null));
        assertThatThrownBy(() -> locations.add("main", s3("file:///var", null, null)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("there is a location 'main' already");
        assertThat(locations.require("to", "main").url()).hasToString(store());
    }

    @Test
    void an_unknown_location_is_refused_with_the_known_ones() {
        locations.add("local", s3(store(), null, null));
        assertThatThrownBy(() -> locations.require("to", "main"))
                .hasMessage("to: no location 'main' on this server; known: local -> ringmaster backup location add;"
                        + " --server names the server of another datacenter");
    }

    @Test
    void a_damaged_file_is_listed_with_what_is_wrong() throws IOException {
        locations.add("local", s3(store(), null, null));
        Files.writeString(directory.resolve("other.yaml"), "adress: file:///tmp\n");
        assertThat(locations.list().items()).hasSize(2);
        assertThat(locations.list().items().get(1).problem()).contains("adress");
    }
}
