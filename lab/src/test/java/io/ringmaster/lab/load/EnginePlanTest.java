package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EnginePlanTest {
    private static final EngineLoad HALF = EngineLoad.of(50, 1500);

    private static final EnginePlan PLAN = new EnginePlan(
            List.of(EngineStorage.ROCKSDB, EngineStorage.STCS),
            List.of(HALF, EngineLoad.of(90, 1500), HALF.inBlockingClients()),
            5,
            8,
            4,
            240_000,
            4500,
            20,
            16,
            "--read 100% --slo p99<2ms");

    @Test
    void the_benchmark_gets_its_settings_and_arguments() {
        assertThat(PLAN.settings())
                .contains(
                        "NAMES=rocksdb stcs",
                        "LOADS=50%:0:1500 90%:0:1500 50%:0:1500:blocking",
                        "MEMORY=1500000000",
                        "FILL=4500",
                        "SETTLE=20",
                        "WARM=4",
                        "SUSTAIN=--read 100% --slo p99<2ms");
        assertThat(PLAN.arguments()).containsExactly("1500", "8", "240000", "5");
    }

    @Test
    void the_rows_that_a_node_was_sent_are_those_of_all_loads() {
        assertThat(PLAN.rowsWritten()).isEqualTo(240_000 + 20 * 1500 + 5 * 12 * (750 + 150 + 750));
    }
}
