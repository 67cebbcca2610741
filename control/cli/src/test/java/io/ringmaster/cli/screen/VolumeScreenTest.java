package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.VolumeState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VolumeScreenTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

    private static VolumeState volume(
            KeptVolume.Reason reason, @Nullable Instant since, @Nullable Instant discarded, boolean reachable) {
        return volume(reason, since, discarded, reachable, null);
    }

    private static VolumeState volume(
            KeptVolume.Reason reason,
            @Nullable Instant since,
            @Nullable Instant discarded,
            boolean reachable,
            @Nullable String problem) {
        return new VolumeState(
                new AllocationId("rides-dc1-node-1"),
                new DatacenterName("dc1"),
                new ClusterName("rides"),
                NodeId.of("rides/dc1/node-1"),
                new MachineName("machine-3"),
                new RackName("r1"),
                4L << 30,
                reason,
                since,
                discarded,
                reachable,
                problem);
    }

    private static String text(List<Line> lines) {
        return lines.stream().map(Line::plain).collect(Collectors.joining("\n"));
    }

    private static String list(VolumeState... volumes) {
        return text(VolumeScreen.list(new FleetList<>(List.of(volumes), List.of()), AT, 140));
    }

    @Test
    void the_list_shows_place_size_age_and_reason_and_how_to_destroy_one() {
        assertThat(list(volume(KeptVolume.Reason.REPLACED, AT, null, true)))
                .contains(
                        "rides-dc1-node-1",
                        "machine-3",
                        "4 GiB",
                        "2026-01-02T03:04:05Z",
                        "its node was replaced",
                        "volume discard DATACENTER/VOLUME");
        assertThat(list()).isEqualTo("no kept volumes");
    }

    @Test
    void an_order_that_waits_for_its_machine_says_so() {
        assertThat(list(volume(KeptVolume.Reason.DELETED, AT, AT, false)))
                .contains("machine-3 away", "is destroyed when its machine is back")
                .doesNotContain("discard");
        assertThat(text(VolumeScreen.discarded(volume(KeptVolume.Reason.LEFT, AT, AT, false))))
                .contains("waits for its machine");
    }

    @Test
    void what_keeps_a_destruction_from_its_end_is_shown() {
        assertThat(text(VolumeScreen.list(
                        new FleetList<>(
                                List.of(volume(KeptVolume.Reason.LEFT, AT, AT, true, "the disk is read-only")),
                                List.of()),
                        AT,
                        200)))
                .contains("is being destroyed; the disk is read-only");
    }

    @Test
    void what_may_be_the_last_copy_is_named_before_it_is_destroyed() {
        assertThat(text(VolumeScreen.consequences(volume(KeptVolume.Reason.DELETED, AT, null, true))))
                .contains("DESTROYED, permanently", "it may hold the last copy of rows of rides");
        assertThat(text(VolumeScreen.dryRun(volume(KeptVolume.Reason.LEFT, AT, null, true))))
                .contains("dry run: nothing was changed")
                .doesNotContain("last copy");
    }
}
