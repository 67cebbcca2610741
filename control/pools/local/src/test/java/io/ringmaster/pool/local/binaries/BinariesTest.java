package io.ringmaster.pool.local.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BinariesTest {
    private static final String VERSION = "5.0.9";

    @TempDir
    Path directory;

    private Path given;
    private final List<String> progress = new CopyOnWriteArrayList<>();

    @BeforeEach
    void giveAnUnpackedCassandra() throws IOException {
        given = directory.resolve("apache-cassandra");
        Path lib = Files.createDirectories(given.resolve("lib"));
        Files.writeString(lib.resolve("apache-cassandra-" + VERSION + ".jar"), "cassandra");
        Files.writeString(lib.resolve("guava.jar"), "guava");
        Files.writeString(lib.resolve("readme.txt"), "no jar");
    }

    private Path cache() {
        return directory.resolve("cache");
    }

    private Path jars(Path from) throws Exception {
        return new Binaries(cache(), from).jars(VERSION, progress::add);
    }

    private static List<String> names(Path lib) throws IOException {
        try (Stream<Path> files = Files.list(lib)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void a_link_to_a_cache_is_that_cache() throws Exception {
        Files.createDirectories(cache());
        Path link = Files.createSymbolicLink(directory.resolve("link"), cache());
        assertThat(new Binaries(link, given).jars(VERSION, progress::add)).isEqualTo(jars(given));
    }

    @Test
    void a_cache_created_behind_a_link_keeps_its_path() throws Exception {
        Files.createDirectories(directory.resolve("disk"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("disk"));
        Path before = new Binaries(link.resolve("home/cache"), given).jars(VERSION, progress::add);
        assertThat(new Binaries(link.resolve("home/cache"), given).jars(VERSION, progress::add))
                .isEqualTo(before);
    }

    @Test
    void a_directory_gives_its_jars_and_nothing_else() throws Exception {
        assertThat(names(jars(given))).containsExactly("SHA256SUMS", "apache-cassandra-5.0.9.jar", "guava.jar");
        assertThat(new Binaries(cache(), given).present(VERSION)).isTrue();
    }

    @Test
    void a_tarball_gives_its_jars() throws Exception {
        Path tarball = directory.resolve("cassandra.tar.gz");
        Process tar = new ProcessBuilder(
                        "tar", "-czf", tarball.toString(), "-C", directory.toString(), "apache-cassandra")
                .start();
        assertThat(tar.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(names(jars(tarball))).containsExactly("SHA256SUMS", "apache-cassandra-5.0.9.jar", "guava.jar");
    }

    @Test
    void what_is_there_is_not_brought_again() throws Exception {
        Path first = jars(given);
        progress.clear();
        assertThat(jars(directory.resolve("gone-meanwhile"))).isEqualTo(first);
        assertThat(progress).isEmpty();
    }

    @Test
    void a_missing_or_shortened_jar_is_brought_again() throws Exception {
        Path lib = jars(given);
        Files.delete(lib.resolve("guava.jar"));
        assertThat(names(jars(given))).contains("guava.jar");
        Files.delete(lib.resolve("guava.jar"));
        Files.writeString(lib.resolve("guava.jar"), "g");
        assertThat(Files.readString(jars(given).resolve("guava.jar"))).isEqualTo("guava");
    }

    @Test
    void what_a_crash_left_half_done_is_done_again() throws Exception {
        Path half = Files.createDirectories(
                cache().resolve("cassandra").resolve(VERSION).resolve("lib.new"));
        Files.writeString(half.resolve("broken.jar"), "half");
        assertThat(names(jars(given))).doesNotContain("broken.jar");
    }

    @Test
    void many_at_once_bring_it_once() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            Callable<Path> bring = () -> jars(given);
            List<Future<Path>> all = threads.invokeAll(List.of(bring, bring, bring, bring, bring, bring));
            for (Future<Path> one : all) {
                assertThat(names(one.get(60, TimeUnit.SECONDS))).hasSize(3);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(progress).filteredOn(p -> p.startsWith("checks")).hasSize(1);
    }

    @Test
    void another_version_than_asked_for_is_refused() throws Exception {
        assertThatThrownBy(() -> new Binaries(cache(), given).jars("5.0.8", progress::add))
                .isInstanceOf(BinariesUnavailableException.class)
                .hasMessageContaining("5.0.8")
                .hasMessageContaining(given.toString());
        assertThat(new Binaries(cache(), given).present("5.0.8")).isFalse();
    }

    @Test
    void a_tarball_that_is_none_is_refused_with_its_name() throws Exception {
        Path broken = Files.writeString(directory.resolve("broken.tar.gz"), "no archive");
        assertThatThrownBy(() -> jars(broken))
                .isInstanceOf(BinariesUnavailableException.class)
                .hasMessageContaining(broken.toString());
    }

    @Test
    void a_version_that_would_leave_the_cache_is_refused() {
        for (String version : List.of("../../etc", "5.0/../..", "", "5.0..9")) {
            assertThatThrownBy(() -> new Binaries(cache(), given).jars(version, progress::add))
                    .isInstanceOf(BinariesUnavailableException.class)
                    .hasMessageContaining("cassandra_version");
        }
    }
}
