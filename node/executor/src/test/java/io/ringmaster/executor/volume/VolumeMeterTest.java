package io.ringmaster.executor.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.VolumeUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeMeterTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private long used(VolumeMeter meter) {
        meter.measure();
        return meter.last() == null ? -1 : meter.last().usedBytes();
    }

    @Test
    void figures_that_hardly_changed_stay_so_that_no_report_is_made_for_them() {
        VolumeUse before = new VolumeUse(10 * MIB, 0, 100 * MIB, 50 * MIB);
        assertThat(VolumeMeter.notable(null, before)).isEqualTo(before);
        assertThat(VolumeMeter.notable(before, new VolumeUse(11 * MIB - 1, 1, 100 * MIB, 49 * MIB + 1)))
                .isEqualTo(before);
        for (VolumeUse other : List.of(
                new VolumeUse(11 * MIB, 0, 100 * MIB, 50 * MIB),
                new VolumeUse(10 * MIB, MIB, 100 * MIB, 50 * MIB),
                new VolumeUse(10 * MIB, 0, 200 * MIB, 50 * MIB),
                new VolumeUse(10 * MIB, 0, 100 * MIB, 49 * MIB))) {
            assertThat(VolumeMeter.notable(before, other)).isEqualTo(other);
        }
    }

    @Test
    void each_measurement_replaces_the_one_before() throws IOException {
        VolumeMeter meter = new VolumeMeter(directory);
        assertThat(meter.last()).isNull();
        Files.write(directory.resolve("a"), new byte[MIB]);
        assertThat(used(meter)).isEqualTo(MIB);
        Files.write(directory.resolve("b"), new byte[3 * MIB]);
        assertThat(used(meter)).isEqualTo(4 * MIB);
    }

    @Test
    void a_volume_that_cannot_be_read_has_no_figures_and_the_log_says_so_once() throws IOException {
        Path volume = Files.createDirectory(directory.resolve("volume"));
        VolumeMeter meter = new VolumeMeter(volume);
        assertThat(used(meter)).isZero();
        Files.delete(volume);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream former = System.out;
        System.setOut(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            assertThat(used(meter)).isEqualTo(-1);
            assertThat(used(meter)).isEqualTo(-1);
        } finally {
            System.setOut(former);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)
                        .lines()
                        .filter(l -> l.contains("cannot measure the volume: java.nio.file.NoSuchFileException")))
                .hasSize(1);
        Files.createDirectory(volume);
        assertThat(used(meter)).isZero();
    }
}
