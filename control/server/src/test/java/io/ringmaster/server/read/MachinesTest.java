package io.ringmaster.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachinesTest {
    private static final View UNSEEN = View.empty(Instant.EPOCH, 1, new DatacenterName("dc1"), List.of(), List.of());

    @Test
    void a_pool_that_cannot_be_asked_says_why() {
        View away = ViewBuilder.from(UNSEEN).withPoolProblem("no such namespace");
        assertThat(Machines.unanswered(away)).get().satisfies(u -> {
            assertThat(u.datacenter()).isEqualTo(new DatacenterName("dc1"));
            assertThat(u.reason()).isEqualTo("no such namespace");
        });
        assertThat(Machines.unanswered(UNSEEN)).get().satisfies(u -> assertThat(u.reason())
                .isEqualTo("its pool has not reported yet"));
        assertThat(Machines.unanswered(ViewBuilder.from(UNSEEN).withPoolSeen(true)))
                .isEmpty();
    }
}
