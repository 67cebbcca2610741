package io.ringmaster.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The functions of {@code tools/cache.sh}, with small scripts in place of builds. */
@Timeout(60)
class BuildCacheTest {
    @TempDir
    private Path folder;

    private Path cache;

    @BeforeEach
    void write_a_build() throws IOException {
        cache = folder.resolve("cache");
        // The result of a build is what the source holds, below what the folder held before.
        Scripts.write(folder.resolve("build"), "mkdir -p out && cat source >>out/result && echo built >>builds");
    }

    private Path clone(String name, String source) throws IOException {
        Path clone = Files.createDirectories(folder.resolve(name));
        Files.writeString(clone.resolve("source"), source + "\n");
        return clone;
    }

    private Scripts.Ran run(Path clone, String command) throws Exception {
        String script = "unset CARGO_TARGET_DIR; say() { echo \"$*\"; }\n. "
                + Path.of("../tools/cache.sh").toRealPath() + "\n" + command;
        return Scripts.run(
                clone,
                Map.of("RINGMASTER_BUILD_CACHE", cache.toString()),
                List.of("bash", "-euo", "pipefail", "-c", script));
    }

    private String build(Path clone, String key) throws Exception {
        Scripts.Ran ran = run(clone, "cached thing " + key + " out ../build");
        assertThat(ran.exit()).as(ran.output()).isZero();
        return ran.output();
    }

    private static void assertBuilt(Path clone, String result, boolean here) {
        assertThat(clone.resolve("out/result")).hasContent(result);
        assertThat(Files.exists(clone.resolve("builds"))).as("built here").isEqualTo(here);
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("thing.builds"))) {
            return files.filter(Files::isDirectory)
                    .map(f -> f.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_second_clone_with_the_same_inputs_builds_nothing() throws Exception {
        Path first = clone("first", "one");
        Path second = clone("second", "one");
        assertThat(build(first, "k1")).isEmpty();
        assertThat(build(second, "k1")).isEmpty();
        assertBuilt(first, "one", true);
        assertBuilt(second, "one", false);
        Path third = clone("third", "two");
        build(third, "k2");
        assertBuilt(third, "two", true);
    }

    @Test
    void a_build_starts_from_the_newest_entry_with_the_same_first_part_of_the_key() throws Exception {
        build(clone("first", "one"), "deps-s1");
        Path second = clone("second", "two");
        build(second, "deps-s2");
        assertBuilt(second, "one\ntwo", true);
        Path third = clone("third", "three");
        build(third, "other-s2");
        assertBuilt(third, "three", true);
    }

    @Test
    void a_failed_build_has_its_exit_code_and_leaves_no_entry() throws Exception {
        Scripts.Ran ran = run(clone("first", "one"), "cached thing k1 out sh -c 'mkdir out; exit 7'");
        assertThat(ran.exit()).isEqualTo(7);
        assertThat(entries()).isEmpty();
    }

    @Test
    void a_broken_entry_is_dropped_and_built_again() throws Exception {
        build(clone("first", "one"), "k1");
        Files.writeString(cache.resolve("thing.builds/k1/files/result"), "onf\n");
        Path second = clone("second", "one");
        assertThat(build(second, "k1")).contains("dropped the entry");
        assertBuilt(second, "one", true);
        Path third = clone("third", "one");
        assertThat(build(third, "k1")).isEmpty();
        assertBuilt(third, "one", false);
    }

    @Test
    void an_entry_that_cannot_be_copied_stays_and_is_built_again() throws Exception {
        build(clone("first", "one"), "deps-s1");
        Scripts.write(folder.resolve("programs/cp"), "echo 'cp: No space left on device' >&2; echo more >&2; exit 1");
        Path second = clone("second", "one");
        Scripts.Ran ran = run(second, "PATH=../programs:$PATH; cached thing deps-s1 out ../build");
        assertThat(ran.exit()).as(ran.output()).isZero();
        assertThat(ran.output().lines())
                .hasSize(2)
                .anyMatch(l -> l.contains("building without") && l.endsWith("cp: No space left on device"))
                .anyMatch(l -> l.contains("exists already"));
        assertBuilt(second, "one", true);
        Path third = clone("third", "one");
        assertThat(build(third, "deps-s1")).isEmpty();
        assertBuilt(third, "one", false);
    }

    @Test
    void without_a_home_there_is_no_cache() throws Exception {
        Path clone = clone("first", "one");
        for (String home : List.of("unset HOME", "HOME=")) {
            String without = home + "; unset XDG_CACHE_HOME RINGMASTER_BUILD_CACHE; ";
            Scripts.Ran ran = run(clone, without + "rm -rf out; cached thing k1 out ../build");
            assertThat(ran.exit()).as(ran.output()).isZero();
            assertThat(ran.output()).contains("HOME is not set");
            assertBuilt(clone, "one", true);
            Scripts.Ran cleared = run(clone, without + "rm() { echo removed; }; clear_build_cache");
            assertThat(cleared.exit()).as(cleared.output()).isZero();
            assertThat(cleared.output()).contains("HOME is not set").doesNotContain("removed");
        }
        assertThat(Path.of("/thing.builds")).doesNotExist();
        assertThat(Path.of("/.cache/ringmaster/builds/thing.builds")).doesNotExist();
    }

    @Test
    void the_lock_of_a_build_is_new() throws Exception {
        Path lock = Files.createDirectories(cache.resolve("thing.builds")).resolve("k1.lock");
        Files.createFile(lock);
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(200_000)));
        build(clone("first", "one"), "k1");
        assertThat(Files.getLastModifiedTime(lock).toInstant())
                .isAfter(Instant.now().minusSeconds(3_600));
    }

    @Test
    void a_cache_that_cannot_be_written_is_named_and_the_build_succeeds() throws Exception {
        Files.writeString(cache, "a file, not a folder");
        Path clone = clone("first", "one");
        assertThat(build(clone, "k1")).contains("not writable");
        assertBuilt(clone, "one", true);
    }

    @Test
    void a_build_that_cannot_be_copied_into_the_cache_succeeds() throws Exception {
        Scripts.write(folder.resolve("programs/cp"), "exit 1");
        Path clone = clone("first", "one");
        Scripts.Ran ran = run(clone, "PATH=../programs:$PATH; cached thing k1 out ../build");
        assertThat(ran.exit()).as(ran.output()).isZero();
        assertThat(ran.output()).contains("cannot keep this build");
        assertBuilt(clone, "one", true);
        assertThat(entries()).isEmpty();
    }

    @Test
    void two_clones_at_once_build_once() throws Exception {
        Scripts.write(folder.resolve("build"), "sleep 0.3; mkdir out && cat source >out/result && echo built >builds");
        List<Path> clones = List.of(clone("first", "one"), clone("second", "one"));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<String>> builds = clones.stream()
                    .map(c -> (Callable<String>) () -> build(c, "k1"))
                    .toList();
            for (Future<String> build : threads.invokeAll(builds)) {
                build.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(clones).allSatisfy(c -> assertThat(c.resolve("out/result")).hasContent("one"));
        assertThat(clones.stream().filter(c -> Files.exists(c.resolve("builds"))))
                .hasSize(1);
    }

    @Test
    void the_newest_three_entries_stay_and_what_a_killed_build_left_goes() throws Exception {
        Path left = Files.createDirectories(cache.resolve("thing.builds/.new-left"));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(200_000)));
        for (String key : List.of("k1", "k2", "k3")) {
            build(clone(key, key), key);
        }
        Files.setLastModifiedTime(
                cache.resolve("thing.builds/k2"), FileTime.from(Instant.now().minusSeconds(1_000)));
        build(clone("k4", "k4"), "k4");
        assertThat(entries()).containsExactly("k1", "k3", "k4");
    }

    @Test
    void clearing_the_cache_removes_its_entries_and_no_other_file() throws Exception {
        build(clone("first", "one"), "k1");
        Path other = Files.writeString(cache.resolve("other"), "");
        assertThat(run(folder, "clear_build_cache").exit()).isZero();
        assertThat(cache).isDirectoryContaining(f -> f.equals(other));
        assertThat(cache.resolve("thing.builds")).doesNotExist();
        Files.delete(other);
        assertThat(run(folder, "clear_build_cache").exit()).isZero();
        assertThat(cache).doesNotExist();
    }

    @Test
    void only_sources_that_differ_from_those_of_the_entry_are_newer_than_its_files() throws Exception {
        write_cargo();
        // The sources are touched before the copy gets its name: a kill in between would leave a stale result.
        Scripts.write(
                folder.resolve("programs/mv"),
                "case $2 in *.restored) find crate/src -type f -newer \"$2/result\" >touched ;; esac\n"
                        + "exec /bin/mv \"$@\"");
        for (String name : List.of("first", "second", "third")) {
            Path crate = Files.createDirectories(folder.resolve(name + "/crate/src"));
            Files.writeString(crate.resolve("a.rs"), "a");
            Files.writeString(crate.resolve("b.rs"), name.equals("third") ? "changed" : "b");
            Scripts.Ran ran = run(
                    folder.resolve(name),
                    "PATH=../programs:$PATH; cached_cargo thing crate ../../build && cd crate && ../../build");
            assertThat(ran.exit()).as(ran.output()).isZero();
            assertThat(ran.output()).isEmpty();
        }
        assertThat(folder.resolve("first/compiled")).hasContent("src/a.rs\nsrc/b.rs");
        assertThat(folder.resolve("first/touched")).doesNotExist();
        assertThat(folder.resolve("second/compiled")).isEmptyFile();
        assertThat(folder.resolve("second/touched")).isEmptyFile();
        assertThat(folder.resolve("third/compiled")).hasContent("src/b.rs");
        assertThat(folder.resolve("third/touched")).hasContent("crate/src/b.rs");
        assertThat(entries()).hasSize(2);
    }

    @Test
    void a_build_whose_sources_change_meanwhile_leaves_no_entry() throws Exception {
        write_cargo();
        Path source = Files.createDirectories(folder.resolve("first/crate/src")).resolve("a.rs");
        Files.writeString(source, "a");
        Files.writeString(folder.resolve("first/crate/Cargo.toml"), "[package]");
        Scripts.Ran ran = run(
                folder.resolve("first"),
                "PATH=../programs:$PATH; cached_cargo thing crate sh -c '../../build; echo b >src/a.rs'");
        assertThat(ran.exit()).as(ran.output()).isZero();
        assertThat(ran.output().lines()).singleElement().asString().contains("sources changed");
        assertThat(folder.resolve("first/crate/target/debug/result")).exists();
        assertThat(entries()).isEmpty();
    }

    private void write_cargo() throws IOException {
        Scripts.write(folder.resolve("programs/cargo"), "echo cargo 1");
        Scripts.write(folder.resolve("programs/rustc"), "echo rustc 1");
        // Compiles, as Cargo does, the sources that are newer than the result.
        Scripts.write(
                folder.resolve("build"),
                "r=target/debug/result; mkdir -p target/debug && [ -e $r ] || touch -d @0 $r\n"
                        + "find src -type f -newer $r | sort >>../compiled; touch $r");
    }
}
