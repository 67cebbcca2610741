package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.OperatingMode;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.Test;

/** The model names the modes of the Cassandra that the companion is built with. */
class OperatingModesTest {
    @Test
    void every_mode_of_cassandra_is_known() {
        for (StorageService.Mode mode : StorageService.Mode.values()) {
            assertThat(OperatingMode.of(mode.name()).name()).isEqualTo(mode.name());
        }
    }

    @Test
    void cassandra_leaves_one_mode_only_when_somebody_acts_and_serves_nobody_in_it() {
        List<String> stuck = new ArrayList<>();
        for (StorageService.Mode mode : StorageService.Mode.values()) {
            if (OperatingMode.of(mode.name()).isStuck()) {
                stuck.add(mode.name());
            }
        }
        assertThat(stuck).containsExactly(StorageService.Mode.JOINING_FAILED.name());
    }
}
