package io.ringmaster.backup.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends BackupStoreContract {
    @TempDir
    private Path folder;

    private BackupStore store;

    @Override
    BackupStore store() {
        if (store == null) {
            mark(folder);
            store = new FolderStore(folder);
        }
        return store;
    }

    private static void mark(Path folder) {
        try {
            FolderStore.mark(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a mount is while it is away: the directory that it is mounted on, in which the others may leave files. */
    private Path unmount(Path mounted) throws IOException {
        Path away = Files.move(mounted, mounted.resolveSibling("away"));
        Files.createDirectories(mounted.resolve("unfinished~"));
        return away;
    }

    @Test
    void an_empty_mount_point_is_refused_by_name_and_stays_empty() throws Exception {
        BackupStore empty = new FolderStore(folder);
        for (Attempt attempt : attempts(empty)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(attempt::run)
                    .withMessageContaining("the folder " + folder + " has no file ringmaster+location")
                    .withMessageContaining("-> mount it, or if it is mounted: touch " + folder + "/ringmaster+location")
                    .returns(Reason.NO_BUCKET, StoreException::reason);
        }
        assertThat(folder).isEmptyDirectory();
        FolderStore.mark(folder);
        FolderStore.mark(folder);
        assertThat(empty.list("", null, 10)).isEmpty();
        empty.put("key", Contents.of("x"));
        assertThat(empty.list("", null, 10)).extracting(ObjectInfo::key).containsExactly("key");
    }

    @Test
    void a_mount_that_goes_and_comes_back_during_a_put_is_an_outage_and_no_object_is_lost() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        mark(mount);
        BackupStore mounted = new FolderStore(mount);
        mounted.put("a", Contents.of("x"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> mounted.put("b", during(() -> unmount(mount))))
                .withMessageContaining(mount + " has no file ringmaster+location")
                .returns(Reason.UNREACHABLE, StoreException::reason);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> mounted.get("a", 0, new byte[1]))
                .returns(Reason.UNREACHABLE, StoreException::reason);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> mounted.put("b", Contents.of("x")))
                .returns(Reason.UNREACHABLE, StoreException::reason);

        Path other = Files.move(mount, folder.resolve("other"));
        mark(other);
        Files.move(folder.resolve("away"), mount);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> mounted.put("d", during(() -> {
                    unmount(mount);
                    FileTree.delete(mount);
                    Files.move(other, mount);
                })))
                .withMessageContaining("was unmounted or mounted in the middle of a request")
                .returns(Reason.UNREACHABLE, StoreException::reason);
    }

    @Test
    void a_mount_that_goes_during_a_list_is_an_outage_and_no_empty_list() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        Path other = Files.createDirectory(folder.resolve("other"));
        mark(mount);
        mark(other);
        BackupStore mounted = new FolderStore(mount);
        mounted.put("dir/a", Contents.of("x"));
        for (Function<BackupStore, Attempt> request : List.<Function<BackupStore, Attempt>>of(
                store -> () -> store.list("dir/", null, 10),
                store -> () -> store.stat("dir/a"),
                store -> () -> store.delete(List.of("dir/a")))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() ->
                            request.apply(changing(mount, () -> unmount(mount))).run())
                    .withMessageContaining(mount + " has no file ringmaster+location")
                    .returns(Reason.UNREACHABLE, StoreException::reason);
            FileTree.delete(mount);
            Files.move(folder.resolve("away"), mount);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> request.apply(changing(mount, () -> swap(mount, other)))
                            .run())
                    .withMessageContaining("was unmounted or mounted in the middle of a request")
                    .returns(Reason.UNREACHABLE, StoreException::reason);
            swap(mount, other);
        }
        assertThat(mounted.list("dir/", null, 10)).hasSize(1);
    }

    /** Something happens once, after the store has looked whether the folder is mounted. */
    private static BackupStore changing(Path mount, Attempt happens) {
        var pending = new AtomicReference<@Nullable Attempt>(happens);
        return new FolderStore(new FolderRoot(mount) {
            @Override
            Object require() throws IOException {
                Object key = super.require();
                Attempt next = pending.getAndSet(null);
                if (next != null) {
                    run(next);
                }
                return key;
            }
        });
    }

    private static void run(Attempt attempt) throws IOException {
        try {
            attempt.run();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static void swap(Path one, Path other) throws IOException {
        Path aside = Files.move(one, one.resolveSibling("aside"));
        Files.move(other, one);
        Files.move(aside, other);
    }

    /** Ten bytes; something happens before they are read. */
    private static Content during(Attempt happens) {
        Content bytes = Contents.of("0123456789");
        return new Content() {
            @Override
            public long length() {
                return bytes.length();
            }

            @Override
            public String sha256() {
                return bytes.sha256();
            }

            @Override
            public InputStream open() throws IOException {
                FolderStoreTest.run(happens);
                return bytes.open();
            }
        };
    }

    @Test
    void lists_no_unfinished_put_and_removes_old_ones() throws Exception {
        Path unfinished = Files.createDirectory(folder.resolve("unfinished~"));
        Path old = Files.writeString(unfinished.resolve("old"), "x");
        Path young = Files.writeString(unfinished.resolve("young"), "x");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        Files.setLastModifiedTime(young, FileTime.from(Instant.now().minus(Duration.ofHours(23))));
        assertThat(keys("", null, 10)).isEmpty();
        store().put("key", Contents.of("x"));
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(keys("", null, 10)).containsExactly("key");
    }

    @Test
    void a_put_that_ends_leaves_no_part() throws Exception {
        store().put("key", Contents.of("x"));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store().put("key/below", Contents.of("x")));
        assertThat(folder.resolve("unfinished~")).isEmptyDirectory();
    }

    @Test
    void reads_no_symbolic_link_and_lists_none(@TempDir Path elsewhere) throws Exception {
        Path foreign = Files.writeString(elsewhere.resolve("foreign"), "x");
        Files.createSymbolicLink(folder.resolve("link"), foreign);
        Files.createSymbolicLink(folder.resolve("directory"), elsewhere);
        assertThat(keys("", null, 10)).isEmpty();
        assertThat(store().stat("link")).isEmpty();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store().get("link", 0, new byte[1]));
    }

    @Test
    void a_folder_that_is_not_there_is_no_empty_store() {
        BackupStore gone = new FolderStore(folder.resolve("gone"));
        for (Attempt attempt : attempts(gone)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(attempt::run)
                    .withMessageContaining("/gone")
                    .returns(Reason.NO_BUCKET, StoreException::reason);
        }
        assertThat(folder.resolve("gone")).doesNotExist();
    }

    @Test
    void several_put_and_delete_in_one_directory_at_the_same_time() throws Exception {
        var threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Void>> all = Stream.of("a", "b", "c", "d")
                    .map(name -> threads.submit(() -> {
                        for (int i = 0; i < 100; i++) {
                            store().put("dir/sub/" + name, Contents.of("x"));
                            store().delete(List.of("dir/sub/" + name));
                        }
                        return (Void) null;
                    }))
                    .toList();
            for (Future<Void> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(store().list("dir/", null, 10)).isEmpty();
    }

    @Test
    void the_reason_of_a_failure_is_that_of_the_file_system() {
        assertThat(FolderFailures.reason(new IOException("No space left on device")))
                .isEqualTo(Reason.FULL);
        assertThat(FolderFailures.reason(new IOException("Stale file handle"))).isEqualTo(Reason.UNREACHABLE);
        assertThat(FolderFailures.reason(new IOException("something else"))).isEqualTo(Reason.REFUSED);
    }

    private static List<Attempt> attempts(BackupStore store) {
        return List.of(
                () -> store.list("", null, 1),
                () -> store.stat("key"),
                () -> store.get("key", 0, new byte[1]),
                () -> store.put("key", Contents.of("x")),
                () -> store.delete(List.of("key")));
    }

    private interface Attempt {
        void run() throws Exception;
    }
}
