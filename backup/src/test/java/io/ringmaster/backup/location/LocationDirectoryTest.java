package io.ringmaster.backup.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.backup.location.Location.S3Endpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationDirectoryTest {
    private static final String S3 = "url: s3://backups/ringmaster\nendpoint: https://s3.example.net\n";
    private static final String SECRET = "sesame";

    @TempDir
    private Path parent;

    private Path directory;
    private LocationDirectory locations;

    @BeforeEach
    void create() throws IOException {
        directory = Files.createDirectory(parent.resolve("locations"));
        locations = new LocationDirectory(directory);
    }

    @Test
    void reads_a_folder() throws Exception {
        write("shared.yaml", "url: file:///mnt/backups\n");
        assertThat(locations.location("shared"))
                .isEqualTo(new Location("shared", URI.create("file:///mnt/backups"), null));
    }

    @Test
    void reads_an_s3_store_with_all_fields() throws Exception {
        write("main.yaml", S3 + "region: eu-1\ncredentials: file:main.key\nca_file: ca.pem\n");
        assertThat(locations.location("main"))
                .isEqualTo(new Location(
                        "main",
                        URI.create("s3://backups/ringmaster"),
                        new S3Endpoint(
                                URI.create("https://s3.example.net"),
                                "eu-1",
                                new CredentialsReference.KeyFile(directory.resolve("main.key")),
                                directory.resolve("ca.pem"))));
    }

    @Test
    void needs_a_region_for_aws_alone() throws Exception {
        write("own.yaml", S3 + "credentials: machine\n");
        assertThat(locations.location("own").s3().region()).isEqualTo("us-east-1");
        write("aws.yaml", "url: s3://backups\ncredentials: env:BACKUP\n");
        refuses("aws", "aws.yaml: region: missing");
        write("aws.yaml", "url: s3://backups\ncredentials: env:BACKUP\nregion: eu-central-1\n");
        assertThat(locations.location("aws").s3().url()).isNull();
    }

    @Test
    void a_changed_file_counts_at_once() throws Exception {
        write("main.yaml", "url: file:///mnt/one\n");
        assertThat(locations.location("main").url()).hasPath("/mnt/one");
        write("main.yaml", "url: file:///mnt/two\n");
        assertThat(locations.location("main").url()).hasPath("/mnt/two");
    }

    @Test
    void names_the_known_ones_for_an_unknown() throws Exception {
        refuses("main", "no location 'main' in " + directory + "; known: none");
        write("b.yaml", "url: file:///b\n");
        write("a.yaml", "url: file:///a\n");
        write("Not-a-name.yaml", "");
        write("main.key", "");
        assertThat(locations.names()).containsExactly("a", "b");
        refuses("main", "known: a, b");
        refuses("../locations/a", "no location '../locations/a'");
        assertThat(new LocationDirectory(parent.resolve("gone")).names()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]                                       | must be a YAML mapping",
                "url: file:///a\\nurls: x                  | urls: unknown field; known are url, endpoint,",
                "url: file:///a\\nregion: x                | region: only for a url s3://",
                "url: [a]                                  | url: must be a text",
                "region: x                                 | url: missing",
                "url: s3://b                               | url: must be file:///DIRECTORY or s3://BUCKET/PREFIX",
                "url: s3://bucket/../x                     | url: must be",
                "url: s3://key:sesame@bucket               | url: must be",
                "url: s3://bucket?secret=sesame            | url: must be",
                "url: file://host/a                        | url: must be",
                "url: ftp://host/a                         | url: must be",
                "url: 'not a sesame'                       | url: must be",
                "url: s3://bucket                          | region: missing",
                "url: s3://bucket\\nendpoint: s3.a         | endpoint: must be a URL such as",
                "url: s3://bucket\\nendpoint: http://a:sesame@b | endpoint: must be a URL such as",
                "url: s3://bucket\\nendpoint: http://a     | credentials: missing",
                "url: s3://bucket\\nregion: a b            | region: must be the name",
                "url: s3://bucket\\nregion: a\\ncredentials: sesame | credentials: must be file:NAME",
                "url: s3://bucket\\nregion: a\\ncredentials: env:lower | credentials: PREFIX must match",
                "url: s3://bucket\\nregion: a\\ncredentials: machine\\nca_file: ../ca | ca_file: '../ca' must be the name",
                "url: {sesame                              | is not YAML in line",
            })
    void refuses_what_is_wrong_and_names_file_and_field(String yaml, String message) throws Exception {
        write("main.yaml", yaml.replace("\\n", "\n"));
        refuses("main", "main.yaml: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../main.key", "a/main.key", "..", ".", "", ".hidden"})
    void no_reference_leaves_the_directory(String name) throws Exception {
        write("main.yaml", S3 + "credentials: 'file:" + name + "'\n");
        refuses("main", "main.yaml: credentials: '" + name + "' must be the name of a file in " + directory);
    }

    @Test
    void a_link_out_of_the_directory_is_refused_and_one_within_is_not() throws Exception {
        String key = "access_key_id: AKEY\nsecret_access_key: " + SECRET + "\n";
        Path foreign = Files.writeString(parent.resolve("foreign.key"), key);
        Files.createSymbolicLink(directory.resolve("out.key"), foreign);
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() -> keyFile("out.key").read())
                .withMessageContaining("out.key: is a link out of its directory");
        Files.createDirectory(directory.resolve("..data"));
        write("..data/in.key", key);
        Files.createSymbolicLink(directory.resolve("in.key"), Path.of("..data/in.key"));
        assertThat(keyFile("in.key").read().orElseThrow().id()).isEqualTo("AKEY");
    }

    @Test
    void reads_a_key_and_prints_no_secret() throws Exception {
        write("main.key", "access_key_id: AKEY\nsecret_access_key: " + SECRET + "\nsession_token: " + SECRET + "\n");
        AccessKey key = keyFile("main.key").read().orElseThrow();
        assertThat(key.id()).isEqualTo("AKEY");
        assertThat(key.secret().reveal()).isEqualTo(SECRET);
        assertThat(key.sessionToken().reveal()).isEqualTo(SECRET);
        assertThat(key.toString()).doesNotContain(SECRET).contains("***");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "access_key_id: sesame                   | secret_access_key: missing",
                "secret_access_key: sesame               | access_key_id: missing",
                "access_key_id: a\\nsecret: sesame       | secret: unknown field; known are access_key_id",
                "sesame                                  | must be a YAML mapping",
                "secret_access_key: [sesame              | is not YAML in line",
                "secret_access_key: {a: sesame}          | secret_access_key: must be a text",
            })
    void refuses_a_wrong_key_file_without_its_values(String yaml, String message) throws Exception {
        write("main.key", yaml.replace("\\n", "\n"));
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() -> keyFile("main.key").read())
                .withMessageContaining("main.key: " + message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SECRET))
                .withNoCause();
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, false", "rw-rw----, false", "rw-------, true", "r--r-----, true"})
    void only_the_owner_and_the_group_may_read_a_key(String mode, boolean fine) throws Exception {
        write("main.key", "access_key_id: AKEY\nsecret_access_key: " + SECRET + "\n");
        Files.setPosixFilePermissions(directory.resolve("main.key"), PosixFilePermissions.fromString(mode));
        if (fine) {
            assertThat(keyFile("main.key").read()).isPresent();
        } else {
            assertThatExceptionOfType(LocationException.class)
                    .isThrownBy(() -> keyFile("main.key").read())
                    .withMessageContaining("main.key: has mode " + mode)
                    .withMessageContaining("-> chmod 600 ");
        }
    }

    @Test
    void a_missing_key_is_named() {
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() -> keyFile("gone.key").read())
                .withMessage(directory.resolve("gone.key") + ": no such file");
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() ->
                        CredentialsReference.parse("env:NOBODY_HAS", directory).read())
                .withMessage("environment of this process: NOBODY_HAS_ACCESS_KEY_ID: missing");
    }

    @Test
    void the_machine_has_its_own() throws Exception {
        assertThat(CredentialsReference.parse("machine", directory).read()).isEmpty();
    }

    private CredentialsReference keyFile(String name) {
        return CredentialsReference.parse("file:" + name, directory);
    }

    private void write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private void refuses(String name, String message) {
        assertThatExceptionOfType(LocationException.class)
                .isThrownBy(() -> locations.location(name))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SECRET));
    }
}
