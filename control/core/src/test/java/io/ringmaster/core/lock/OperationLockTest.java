package io.ringmaster.core.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

    private static Request request(int number, LockScope scope) {
        return request(number, scope, Map.of());
    }

    private static Request request(int number, LockScope scope, Map<String, String> params) {
        return new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                "dc1-1",
                scope.name().toLowerCase(Locale.ROOT),
                scope,
                params,
                "bob",
                "",
                Scene.NOW,
                null);
    }

    /** A request that waits for no spec, so that nothing but the silence can hold it up. */
    @Test
    void beside_a_silent_datacenter_a_request_starts_only_if_the_user_allows_it() {
        View silent = Scene.live(BOTH)
                .settled()
                .peer(3, 1, 1, true, null)
                .peerSilent()
                .view();
        assertThat(OperationLock.reason(silent, request(1, LockScope.MEND)))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("dc2 is silent: ")
                        .endsWith("; it may run an operation, and must know of this request first"));
        Request allowed = request(1, LockScope.MEND, Map.of(OperationLock.ALLOW_SILENT_PEERS, "true"));
        assertThat(OperationLock.reason(silent, allowed)).isEmpty();
    }

    /** Whether the later request waits for the earlier one, which runs. */
    private static boolean waits(LockScope later, LockScope earlier) {
        RequestRecord runs = new RequestRecord(
                request(1, earlier), new RequestPart(RequestPart.State.PLANNED, null, Scene.NOW, "runs"));
        View view = Scene.live(Samples.spec("rides", 3, 2)).settled().view().with(List.of(new Change.Put(runs)));
        return OperationLock.reason(view, request(2, later)).isPresent();
    }

    @ParameterizedTest(name = "{0} runs")
    @CsvSource(
            useHeadersInDisplayName = true,
            textBlock =
                    """
            RUNS,   RING,   MEND,   REPAIR, NODES,  BACKUP
            RING,   waits,  starts, waits,  waits,  waits
            MEND,   waits,  waits,  waits,  waits,  waits
            REPAIR, waits,  starts, waits,  starts, starts
            NODES,  waits,  starts, starts, waits,  waits
            BACKUP, starts, starts, starts, starts, waits
            """)
    void beside_what_runs_another_request_starts_or_waits(
            LockScope runs, String ring, String mend, String repair, String nodes, String backup) {
        Map<LockScope, String> found = new EnumMap<>(LockScope.class);
        for (LockScope later : LockScope.values()) {
            found.put(later, waits(later, runs) ? "waits" : "starts");
        }
        assertThat(found)
                .isEqualTo(Map.of(
                        LockScope.RING, ring,
                        LockScope.MEND, mend,
                        LockScope.REPAIR, repair,
                        LockScope.NODES, nodes,
                        LockScope.BACKUP, backup));
    }

    @ParameterizedTest
    @EnumSource(LockScope.class)
    void clearing_snapshots_waits_for_no_spec_and_no_operation_and_none_waits_for_it(LockScope other) {
        Request clears = new Request(
                new RequestId(Samples.DC1, 2),
                Scene.RIDES,
                "dc1-1",
                "clear-snapshots",
                LockScope.NODES,
                Map.of(),
                "bob",
                "",
                Scene.NOW,
                null);
        RequestPart runs = new RequestPart(RequestPart.State.PLANNED, null, Scene.NOW, "runs");
        View unsettled = Scene.live(BOTH)
                .view()
                .with(List.of(
                        new Change.Put(new RequestRecord(request(1, other), runs)),
                        new Change.Put(new RequestRecord(clears, runs))));
        assertThat(OperationLock.reason(unsettled, clears)).isEmpty();
        View settled = Scene.live(Samples.spec("rides", 3, 2))
                .settled()
                .view()
                .with(List.of(new Change.Put(new RequestRecord(clears, runs))));
        assertThat(OperationLock.reason(settled, request(3, other))).isEmpty();
    }

    @Test
    void a_backup_runs_in_all_datacenters_at_once() {
        Request asked = request(2, LockScope.BACKUP);
        ClusterSpec dc2First = BOTH.withDatacenters(
                List.of(BOTH.datacenters().get(1), BOTH.datacenters().get(0)));
        RequestRecord there =
                new RequestRecord(asked, new RequestPart(RequestPart.State.PLANNED, null, Scene.NOW, "runs"));
        Scene scene = Scene.live(dc2First).settled().peer(3, 1, 1, true, null).peerRequest(there);
        assertThat(OperationLock.reason(scene.view(), asked)).isEmpty();
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
