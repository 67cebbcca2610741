package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DrainTest {
    @Test
    void a_drain_is_done_when_cassandra_is_drained_and_every_row_is_in_a_file() {
        assertThat(Drain.whyNotDone("DRAINED", List.of())).isEmpty();
        assertThat(Drain.whyNotDone("DRAINING", List.of()))
                .as("Cassandra logs what it caught, and returns")
                .contains("the drain ended, and the node is DRAINING: Cassandra's log says why");
        assertThat(Drain.whyNotDone("DRAINED", List.of("rides.trips", "rides.riders")))
                .as("Cassandra only warns of a flush that failed")
                .contains("rows of 2 tables are in the commit log alone, for example of rides.trips: a flush failed,"
                        + " Cassandra's log says why");
        assertThat(Drain.whyNotDone("DRAINED", List.of("rides.trips")).orElseThrow())
                .startsWith("rows of 1 table are ");
    }
}
