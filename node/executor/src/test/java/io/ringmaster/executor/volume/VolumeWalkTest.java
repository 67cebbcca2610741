package io.ringmaster.executor.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.VolumeUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeWalkTest {
    @TempDir
    Path volume;

    private Path file(String name, int bytes) throws IOException {
        Path file = volume.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, new byte[bytes]);
    }

    private void link(String name, Path file) throws IOException {
        Path link = volume.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createLink(link, file);
    }

    /** {@code used/only in snapshots}. */
    private String measured() throws IOException {
        VolumeUse use = VolumeWalk.measure(volume);
        return use.usedBytes() + "/" + use.snapshotBytes();
    }

    @Test
    void all_files_of_the_volume_count() throws IOException {
        assertThat(measured()).isEqualTo("0/0");
        file("logs/system.log", 1);
        file("commitlog/CommitLog-7-1.log", 20);
        file("data/rides/trips-1f/nb-1-big-Data.db", 300);
        assertThat(measured()).isEqualTo("321/0");
    }

    @Test
    void a_file_that_a_snapshot_shares_with_its_table_counts_once_and_not_as_a_snapshot() throws IOException {
        Path live = file("data/rides/trips-1f/nb-1-big-Data.db", 100);
        link("data/rides/trips-1f/snapshots/before/nb-1-big-Data.db", live);
        link("data/rides/trips-1f/snapshots/after/nb-1-big-Data.db", live);
        assertThat(measured()).isEqualTo("100/0");
    }

    @Test
    void a_file_that_only_snapshots_hold_counts_as_a_snapshot_once() throws IOException {
        Path dropped = file("data/rides/trips-1f/snapshots/dropped-17-trips/nb-1-big-Data.db", 100);
        file("data/rides/trips-1f/snapshots/dropped-17-trips/.by_rider/nb-1-big-Data.db", 20);
        assertThat(measured()).isEqualTo("120/120");
        link("data/rides/trips-1f/snapshots/before/nb-1-big-Data.db", dropped);
        assertThat(measured()).isEqualTo("120/120");
        Files.delete(dropped);
        assertThat(measured()).isEqualTo("120/120");
    }

    @Test
    void a_file_with_two_live_links_counts_once() throws IOException {
        link("data/rides/trips-1f/nb-2-big-Data.db", file("restore/nb-2-big-Data.db", 100));
        assertThat(measured()).isEqualTo("100/0");
    }

    @Test
    void snapshots_are_directories_of_tables_alone() throws IOException {
        file("data/snapshots/trips-1f/nb-1-big-Data.db", 1); // a keyspace of this name
        file("data/rides/snapshots-1f/nb-1-big-Data.db", 1); // a table of this name
        file("snapshots/nb-1-big-Data.db", 1);
        assertThat(measured()).isEqualTo("3/0");
    }

    @Test
    void neither_the_target_of_a_link_nor_a_file_outside_counts() throws IOException {
        Path big = file("logs/system.log", 100);
        Files.createSymbolicLink(volume.resolve("log"), big);
        Files.createSymbolicLink(volume.resolve("gone"), volume.resolve("nowhere"));
        Files.createSymbolicLink(volume.resolve("loop"), volume);
        assertThat(measured()).isEqualTo("100/0");
        Path byLink = Files.createSymbolicLink(volume.resolveSibling(volume.getFileName() + "-link"), volume);
        try {
            assertThat(VolumeWalk.measure(byLink).usedBytes()).isEqualTo(100);
        } finally {
            Files.delete(byLink);
        }
    }

    @Test
    void the_room_is_that_of_the_file_system() throws IOException {
        VolumeUse use = VolumeWalk.measure(volume);
        assertThat(use.usableBytes()).isPositive();
        assertThat(use.totalBytes())
                .isBetween(use.usableBytes(), Files.getFileStore(volume).getTotalSpace());
    }

    @Test
    void files_and_directories_that_vanish_meanwhile_are_left_out() throws Exception {
        file("data/rides/trips-1f/snapshots/kept/nb-1-big-Data.db", 1000);
        AtomicBoolean ends = new AtomicBoolean();
        Thread compacts = new Thread(() -> churn(ends));
        compacts.start();
        try {
            for (int i = 0; i < 300; i++) {
                VolumeUse use = VolumeWalk.measure(volume);
                assertThat(use.usedBytes()).isBetween(1000L, 1000L + 40);
                assertThat(use.snapshotBytes()).isBetween(1000L, 1000L + 20);
            }
        } finally {
            ends.set(true);
            compacts.join();
        }
    }

    /** Writes and deletes tables of 20 files, each of a byte, and a snapshot of them. */
    private void churn(AtomicBoolean ends) {
        try {
            while (!ends.get()) {
                for (int i = 0; i < 20; i++) {
                    Path live = file("data/eats/places-2a/nb-" + i + "-big-Data.db", 1);
                    link("data/eats/places-2a/snapshots/short/nb-" + i + "-big-Data.db", live);
                }
                for (int i = 0; i < 20; i++) {
                    Files.delete(volume.resolve("data/eats/places-2a/nb-" + i + "-big-Data.db"));
                    Files.delete(volume.resolve("data/eats/places-2a/snapshots/short/nb-" + i + "-big-Data.db"));
                }
                for (String directory : new String[] {"snapshots/short", "snapshots", ""}) {
                    Files.delete(volume.resolve("data/eats/places-2a").resolve(directory));
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_volume_that_is_not_there_has_no_figure() {
        Assertions.assertThatThrownBy(() -> VolumeWalk.measure(volume.resolve("nowhere")))
                .isInstanceOf(NoSuchFileException.class);
    }
}
