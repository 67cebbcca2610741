package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.VolumeUse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The disk of each node has 4 GiB, that of its machine 100 GiB. */
class RoomFindingsTest {
    private static final long DISK = 4 * Samples.GIB;
    private static final long FILE_SYSTEM = 100 * Samples.GIB;

    private static List<String> lines(VolumeUse use) {
        return RoomFindings.of(
                        Scene.live(Samples.spec("rides", 3, 2)).volume(1, use).view(), Scene.RIDES)
                .stream()
                .map(f -> f.subject() + " " + f.problem().code() + " "
                        + f.problem().message() + " -> " + f.problem().nextStep())
                .toList();
    }

    /** Of the disk of the node; its machine has room. */
    private static List<String> used(double share, long snapshots) {
        return lines(new VolumeUse((long) Math.ceil(share * DISK), snapshots, FILE_SYSTEM, FILE_SYSTEM / 2));
    }

    /** Of the file system; the volume itself is small. */
    private static List<String> ofFileSystem(double share, long snapshots) {
        return lines(new VolumeUse(Samples.GIB, snapshots, FILE_SYSTEM, (long) Math.floor((1 - share) * FILE_SYSTEM)));
    }

    @Test
    void a_volume_is_named_at_80_and_90_percent_of_the_disk() {
        assertThat(used(0.79, 0)).isEmpty();
        assertThat(used(0.7999, 0)).isEmpty();
        assertThat(used(0.8, 0))
                .containsExactly("dc1/node-1 DISK_FILLING its volume is 80 % full: 3.2 GiB of 4 GiB, 0 B of it only in"
                        + " snapshots -> add nodes to dc1, so that each holds fewer rows");
        assertThat(used(0.89, 0)).singleElement().asString().contains("DISK_FILLING its volume is 89 % full");
        assertThat(used(0.9, 0)).singleElement().asString().contains("DISK_NEARLY_FULL its volume is 90 % full");
        assertThat(used(1.2, 0)).singleElement().asString().contains("DISK_NEARLY_FULL its volume is 120 % full");
    }

    @Test
    void so_is_one_whose_file_system_is_as_full() {
        assertThat(ofFileSystem(0.79, 0)).isEmpty();
        assertThat(ofFileSystem(0.8, 0))
                .containsExactly("dc1/node-1 DISK_FILLING the file system of its volume is 80 % full: 20.0 GiB of"
                        + " 100 GiB are free; its volume holds 1 GiB of 4 GiB, 0 B of it only in snapshots -> make room"
                        + " on machine-2, or add nodes on machines with more disk");
        assertThat(ofFileSystem(0.9, 0))
                .singleElement()
                .asString()
                .contains("DISK_NEARLY_FULL the file system of its volume is 90 % full");
    }

    @Test
    void snapshots_that_hold_a_tenth_of_the_volume_are_to_be_cleared_first() {
        String clear = " -> ringmaster cluster clear-snapshots rides --node dc1/node-1";
        assertThat(used(0.8, DISK / 10)).singleElement().asString().endsWith(clear);
        assertThat(used(0.8, DISK / 20)).singleElement().asString().doesNotContain("clear-snapshots");
        assertThat(ofFileSystem(0.8, FILE_SYSTEM / 10))
                .singleElement()
                .asString()
                .endsWith(clear);
        assertThat(ofFileSystem(0.8, Samples.GIB / 2))
                .singleElement()
                .asString()
                .doesNotContain("clear-snapshots");
    }

    @Test
    void a_node_whose_volume_is_not_measured_is_not_named() {
        assertThat(RoomFindings.of(Scene.live(Samples.spec("rides", 3, 2)).view(), Scene.RIDES))
                .isEmpty();
        assertThat(lines(new VolumeUse(0, 0, 0, 0))).isEmpty();
    }
}
