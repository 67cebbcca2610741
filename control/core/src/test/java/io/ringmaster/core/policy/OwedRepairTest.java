package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwedRepairTest {
    private static final Duration HALF_HOUR = Duration.ofMinutes(30);
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    private static Scene owing(ClusterSpec spec) {
        return Scene.live(spec).settled().record(1, r -> r.owing(Scene.NOW));
    }

    private static Scene automatic() {
        return owing(SPEC.with(new AutomaticReplacement(HALF_HOUR.toMinutes())));
    }

    private static Optional<Map<String, String>> due(Scene scene) {
        return due(scene.view());
    }

    private static Optional<Map<String, String>> due(View view) {
        return OwedRepair.dueHere(view, Scene.RIDES);
    }

    private static View asked(RequestPart.State state, String operation, Duration ago) {
        return asked(state, operation, LockScope.REPAIR, ago);
    }

    private static View asked(RequestPart.State state, String operation, LockScope scope, Duration ago) {
        View view = automatic().view();
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                Scene.RIDES,
                view.targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                operation,
                scope,
                Map.of(),
                AutomaticReplace.WHO,
                "",
                at,
                null);
        return view.with(
                List.of(new Change.Put(new RequestRecord(request, new RequestPart(state, null, at, "", false)))));
    }

    @Test
    void a_repair_that_a_node_owes_is_requested_where_nodes_are_replaced_automatically() {
        assertThat(due(automatic())).contains(Map.of("node", "dc1/node-1"));
        assertThat(due(owing(SPEC))).as("a person decides").isEmpty();
        assertThat(due(automatic().record(1, r -> r.repaired(Scene.NOW.plusSeconds(1)))))
                .isEmpty();
    }

    @Test
    void it_waits_until_every_node_is_up() {
        assertThat(due(automatic().says(2, OperatingMode.DOWN))).isEmpty();
    }

    @Test
    void it_waits_for_whatever_operation_is_at_work() {
        assertThat(due(asked(RequestPart.State.PLANNED, "replace", HALF_HOUR.multipliedBy(2))))
                .isEmpty();
        assertThat(due(asked(RequestPart.State.DONE, "replace", Duration.ZERO))).isPresent();
    }

    @Test
    void it_does_not_wait_for_a_backup() {
        assertThat(due(asked(RequestPart.State.PLANNED, "backup", LockScope.BACKUP, Duration.ZERO)))
                .isPresent();
    }

    @Test
    void one_that_ended_is_requested_again_after_a_pause() {
        assertThat(due(asked(RequestPart.State.ENDED, "repair", HALF_HOUR.minusSeconds(1))))
                .isEmpty();
        assertThat(due(asked(RequestPart.State.ENDED, "repair", HALF_HOUR))).isPresent();
    }
}
