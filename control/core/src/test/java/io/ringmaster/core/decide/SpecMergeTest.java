package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes here of a request of dc2 in the reports of dc2 and dc3. */
class SpecMergeTest {
    private static final DatacenterName DC3 = new DatacenterName("dc3");

    private static RequestPart part(State state, DatacenterName... overIn) {
        return new RequestPart(state, new PlanId(Samples.DC2, 1), Scene.NOW, "is reported", false, Set.of(overIn));
    }

    private static Scene scene() {
        return Scene.live(Samples.spec("rides", 3, 2, 3, 2, 3, 2)).settled().peer(3, 1, 1, true, null);
    }

    private static Request request() {
        return new Request(
                new RequestId(Samples.DC2, 3),
                Scene.RIDES,
                scene().view().targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                "compact",
                LockScope.NODES,
                Map.of(),
                "anna",
                "",
                Scene.NOW,
                List.of(Samples.DC1, Samples.DC2, DC3));
    }

    private static RequestRecord record(RequestPart part) {
        return new RequestRecord(request(), part);
    }

    /** The view of dc1, which has no record of the request. */
    private static View reported(RequestPart inDc2, RequestPart inDc3) {
        View view = scene().peerRequest(record(inDc2)).view();
        DatacenterReport first =
                Objects.requireNonNull(view.peers().get(Samples.DC2)).last();
        DatacenterReport third = new DatacenterReport(
                DC3,
                List.of(),
                3,
                Scene.NOW,
                List.of(DatacenterReportClusterPartBuilder.builder(
                                first.clusters().get(0))
                        .nodes(List.of())
                        .requests(List.of(record(inDc3)))
                        .build()));
        Map<DatacenterName, Observation<DatacenterReport>> peers = new TreeMap<>(view.peers());
        peers.put(DC3, new Observation<>(third, Scene.NOW, null));
        return view.withPeers(peers);
    }

    private static View merged(View view) {
        View next = view;
        for (int i = 0; i < 3; i++) {
            next = next.with(SpecMerge.changes(next, Set.of(Scene.RIDES)));
        }
        assertThat(SpecMerge.changes(next, Set.of(Scene.RIDES))).isEmpty();
        return next;
    }

    private static RequestPart partHere(View view) {
        return Objects.requireNonNull(view.requests().get(request().id())).part();
    }

    @Test
    void a_request_that_runs_elsewhere_and_never_ran_here_waits_here() {
        assertThat(partHere(merged(reported(part(State.PLANNED), part(State.WAITING))))
                        .state())
                .isEqualTo(State.WAITING);
    }

    @Test
    void what_any_peer_knows_to_be_over_here_is_not_carried_out_again() {
        for (View view : List.of(
                reported(part(State.PLANNED, Samples.DC1), part(State.WAITING)),
                reported(part(State.WAITING), part(State.PLANNED, Samples.DC1)),
                reported(part(State.WAITING), part(State.NOT_CONCERNED, Samples.DC1)))) {
            RequestPart here = partHere(merged(view));
            assertThat(here.state()).isEqualTo(State.NOT_CONCERNED);
            assertThat(here.reason()).isEqualTo("it was over in dc1 before the store there lost it");
        }
    }

    @Test
    void what_a_peer_knows_to_be_over_here_does_not_run_again_although_another_peer_reported_first() {
        View first = merged(reported(part(State.WAITING), part(State.WAITING)));
        assertThat(partHere(first).state()).isEqualTo(State.WAITING);
        AcquireLock lock = new AcquireLock(request().id());
        assertThat(lock.next(first, AvailabilityCheck.ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Done.class);
        View later = merged(first.withPeers(
                reported(part(State.WAITING), part(State.WAITING, Samples.DC1)).peers()));
        assertThat(lock.next(later, AvailabilityCheck.ONE_AT_A_TIME, Map.of()))
                .isInstanceOfSatisfying(Verdict.GivenUp.class, given -> assertThat(
                                given.problem().message())
                        .isEqualTo("dc2-r3 was over in dc1 before the store there lost it"));
    }

    @Test
    void what_any_peer_has_finished_is_not_carried_out_here_whichever_reports_first() {
        assertThat(partHere(merged(reported(part(State.WAITING), part(State.DONE))))
                        .state())
                .isEqualTo(State.NOT_CONCERNED);
    }

    @Test
    void a_part_remembers_where_the_request_is_over_also_after_that_store_lost_it() {
        View known = merged(reported(part(State.DONE), part(State.WAITING))
                .with(List.of(new Change.Put(record(part(State.WAITING))))));
        assertThat(partHere(known).overIn()).containsExactly(Samples.DC2);
        assertThat(partHere(known).state()).isEqualTo(State.WAITING);
        View lost =
                known.withPeers(reported(part(State.WAITING), part(State.ENDED)).peers());
        View planned = lost.with(OperationProgress.changes(lost));
        assertThat(partHere(planned).state()).isEqualTo(State.PLANNED);
        assertThat(partHere(merged(planned)).overIn()).containsExactly(Samples.DC2, DC3);
    }
}
