package io.ringmaster.core.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deciding datacenter is dc1. */
class OperationLockTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);
    private static final Request REPAIR = new Request(
            new RequestId(Samples.DC2, 1),
            Scene.RIDES,
            "dc1-1",
            "repair",
            LockScope.REPAIR,
            Map.of(),
            "bob",
            "",
            Scene.NOW,
            null);

    @Test
    void a_request_does_not_start_before_the_other_datacenters_know_of_it() {
        assertThat(OperationLock.reason(
                        Scene.live(BOTH).peer(3, 1, 1, true, null).view(), REPAIR))
                .hasValue("dc2 does not know of this request yet");
    }

    @Test
    void a_datacenter_that_has_left_does_not_wait_because_it_has_no_nodes() {
        ClusterSpec withoutDc1 = BOTH.withDatacenters(BOTH.datacenters().subList(1, 2));
        Scene left = Scene.declared(withoutDc1).peer(3, 1, 1, true, null);
        assertThat(OperationLock.reason(left.view(), REPAIR)).isEmpty();
    }

    @Test
    void a_repair_goes_before_the_spec_only_while_ranges_that_nodes_took_over_are_not_repaired() {
        Scene alone = Scene.live(Samples.spec("rides", 3, 2));
        assertThat(OperationLock.reason(alone.view(), REPAIR))
                .hasValue("the spec goes first: version 1 is not settled in dc1");
        assertThat(OperationLock.reason(alone.record(1, r -> r.owing(Scene.NOW)).view(), REPAIR))
                .isEmpty();
    }
}
