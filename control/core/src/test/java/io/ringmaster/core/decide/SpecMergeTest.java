package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes here of a request that dc2 reports and that has no record here. */
class SpecMergeTest {
    private static RequestPart received(State there, boolean started, Map<String, String> params) {
        Scene scene = Scene.live(Samples.spec("rides", 3, 2, 3, 2)).settled().peer(3, 1, 1, true, null);
        Request request = new Request(
                new RequestId(Samples.DC2, 3),
                Scene.RIDES,
                scene.view().targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                "compact",
                LockScope.NODES,
                params,
                "anna",
                "",
                Scene.NOW,
                List.of(Samples.DC1, Samples.DC2));
        RequestPart part = new RequestPart(there, new PlanId(Samples.DC2, 1), Scene.NOW, "is reported", false, started);
        View view = scene.peerRequest(new RequestRecord(request, part)).view();
        List<Change> changes = SpecMerge.changes(view, Set.of(Scene.RIDES));
        return ((RequestRecord) ((Change.Put) changes.get(0)).record()).part();
    }

    @Test
    void a_request_that_waits_elsewhere_waits_here_too() {
        assertThat(received(State.PLANNED, false, Map.of()).state()).isEqualTo(State.WAITING);
    }

    @Test
    void a_request_that_started_elsewhere_was_known_here_and_is_not_carried_out_again() {
        RequestPart part = received(State.PLANNED, true, Map.of());
        assertThat(part.state()).isEqualTo(State.NOT_CONCERNED);
        assertThat(part.reason())
                .isEqualTo("it started elsewhere once dc1 knew of it, and may be over here: the store has lost it");
        assertThat(received(State.DONE, true, Map.of()).state()).isEqualTo(State.NOT_CONCERNED);
    }

    @Test
    void a_request_that_started_although_this_datacenter_was_silent_is_carried_out() {
        assertThat(received(State.PLANNED, true, Map.of(OperationLock.ALLOW_SILENT_PEERS, "true"))
                        .state())
                .isEqualTo(State.WAITING);
    }
}
