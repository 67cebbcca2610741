package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.model.request.RequestPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was requested once is carried out once, by the datacenters that were part of the cluster then. */
class OldRequestsTest {
    /** More than a server keeps. */
    private static final int MANY = 55;

    private final FakeFleet fleet = new FakeFleet(2);
    private final FakeDatacenter dc1 = fleet.dc(1);
    private final FakeDatacenter dc2 = fleet.dc(2);

    private SubmitResult ask(FakeDatacenter at, String operation, Map<String, String> params) {
        return accepted(at.controller.requests().ask(operation, Scene.RIDES, params, "alice", "", false));
    }

    private static boolean isDone(FakeDatacenter at, SubmitResult asked) {
        return Optional.ofNullable(
                        at.controller.view().requests().get(asked.request().id()))
                .filter(r -> r.part().state() == RequestPart.State.DONE)
                .isPresent();
    }

    private static RequestPart part(FakeDatacenter at, SubmitResult asked) {
        return at.controller.view().requests().get(asked.request().id()).part();
    }

    private void untilDone(FakeDatacenter at, SubmitResult asked) {
        fleet.until(asked.request().title(), 60, () -> isDone(at, asked));
    }

    private void steps(int count) {
        for (int i = 0; i < count; i++) {
            fleet.step();
        }
    }

    @Test
    void a_datacenter_that_joins_carries_out_nothing_that_was_requested_before() {
        apply(dc1, oneDatacenter());
        fleet.until("dc1 serves", 60, () -> dc1.controller.view().settledSpecVersion(Scene.RIDES) == 1);
        SubmitResult compact = ask(dc1, "compact", Map.of());
        untilDone(dc1, compact);
        SubmitResult restart = ask(dc1, "restart", Map.of());
        untilDone(dc1, restart);

        apply(dc1, twoDatacenters());
        fleet.until("dc2 has joined", 200, () -> dc2.controller.view().settledSpecVersion(Scene.RIDES) == 2);
        steps(60);
        assertThat(part(dc2, compact).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
        assertThat(part(dc2, restart).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
        assertThat(dc2.nodes.values()).hasSize(3).allSatisfy(n -> {
            assertThat(n.starts).isEqualTo(1);
            assertThat(n.tasks).doesNotContain("compact");
        });
        SubmitResult later = ask(dc1, "compact", Map.of());
        untilDone(dc2, later);
    }

    @Test
    void a_request_that_was_removed_here_is_not_carried_out_again_although_a_peer_still_reports_it() {
        apply(dc1, twoDatacenters());
        fleet.untilSettled();
        steps(3);
        for (int i = 0; i < MANY; i++) {
            untilDone(dc1, ask(dc1, "flush", Map.of("node", "dc1/node-0")));
        }
        steps(30);
        FakeNode node = dc1.nodes.values().iterator().next();
        assertThat(node.tasks).containsOnly("flush").hasSize(MANY);
        assertThat(dc1.controller.view().requests()).hasSizeLessThan(MANY);
        assertThat(dc1.controller
                        .view()
                        .clusters()
                        .get(Scene.RIDES)
                        .forgottenRequests()
                        .get(Samples.DC1))
                .isPositive();
    }

    @Test
    void a_request_with_a_lower_number_that_was_made_while_the_datacenters_were_apart_is_carried_out() {
        apply(dc1, twoDatacenters());
        fleet.untilSettled();
        steps(3);
        dc2.reachable = false;
        steps(40);
        for (int i = 0; i < MANY; i++) {
            untilDone(dc1, ask(dc1, "flush", Map.of("node", "dc1/node-0", "allow_silent_peers", "true")));
        }
        SubmitResult apart = ask(dc2, "compact", Map.of("node", "dc1/node-1"));
        assertThat(apart.request().id().number()).isLessThan(MANY);
        dc2.reachable = true;
        steps(120);
        assertThat(dc1.nodes.values().stream().flatMap(n -> n.tasks.stream()).filter("compact"::equals))
                .hasSize(1);
    }

    @Test
    void what_was_finished_while_a_datacenter_was_silent_is_not_carried_out_there_later() {
        apply(dc1, twoDatacenters());
        fleet.untilSettled();
        steps(3);
        dc2.reachable = false;
        steps(40);
        SubmitResult restart = ask(dc1, "restart", Map.of("allow_silent_peers", "true"));
        untilDone(dc1, restart);
        dc2.reachable = true;
        steps(60);
        assertThat(part(dc2, restart).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
        assertThat(dc2.nodes.values()).allMatch(n -> n.starts == 1);
    }

    @Test
    void a_datacenter_that_lost_its_store_carries_out_nothing_again_also_what_named_it_alone() {
        FakeFleet three = new FakeFleet(3);
        FakeDatacenter first = three.dc(1);
        FakeDatacenter lost = three.dc(3);
        apply(first, Samples.spec("rides", 3, 2, 3, 2, 3, 2));
        three.untilSettled();
        for (int i = 0; i < 3; i++) {
            three.step();
        }
        SubmitResult alone = ask(first, "compact", Map.of("dc", "dc3"));
        SubmitResult all = ask(first, "compact", Map.of());
        three.until("both are done", 120, () -> isDone(lost, alone) && isDone(lost, all));
        assertThat(part(first, alone).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);

        lost.loseStore();
        three.until("dc3 receives them", 60, () -> lost.controller
                .view()
                .requests()
                .containsKey(all.request().id()));
        for (SubmitResult old : List.of(alone, all)) {
            assertThat(part(lost, old).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
            assertThat(part(lost, old).reason()).isEqualTo("it was requested before dc3 received the cluster");
        }
    }
}
