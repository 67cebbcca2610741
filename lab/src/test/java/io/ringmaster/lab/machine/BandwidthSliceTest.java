package io.ringmaster.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BandwidthSliceTest {
    @TempDir
    Path folder;

    private Path setting;
    private Path run;

    @BeforeEach
    void fiveMilliseconds() throws IOException {
        setting = Files.writeString(folder.resolve("slice"), "5000\n");
        run = Files.createDirectories(folder.resolve("work/million"));
    }

    @Test
    void isShortForTheRunAndThenTheFormerOne() throws IOException {
        try (BandwidthSlice slice = BandwidthSlice.shortened(setting, run)) {
            assertThat(slice.microseconds()).hasValue(500);
        }
        assertThat(setting).hasContent("5000");
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void whatAKilledRunHasLeftIsRestored() throws IOException {
        BandwidthSlice.shortened(setting, run);
        BandwidthSlice.restore(setting, folder.resolve("work"));
        assertThat(setting).hasContent("5000");
        BandwidthSlice.restore(setting, folder.resolve("no-runs"));
    }

    @Test
    void aSettingOfTheKernelIsReadAsAWhole() throws IOException {
        assertThat(Integer.parseInt(BandwidthSlice.read(Path.of("/proc/sys/kernel/pid_max"))))
                .isGreaterThan(300);
    }

    @Test
    void aKernelWithoutTheSettingKeepsItsOwn() throws IOException {
        try (BandwidthSlice slice = BandwidthSlice.shortened(folder.resolve("none"), run)) {
            assertThat(slice.microseconds()).isEmpty();
        }
    }
}
