package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.AuditEntry;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that has nodes in dc2 only, read and changed by ada at the server of dc1. */
class RemoteClustersTest {
    private static final ClusterName FAR = new ClusterName("far");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final String SPEC = Specs.of("far", "dc2: {nodes: 1, seeds: 1}");

    @TempDir
    Path directory;

    private TestDatacenter one;
    private TestDatacenter two;
    private RingmasterClient ada;

    @BeforeEach
    void start() throws IOException {
        List<TestDatacenter> both = TestDatacenter.two(directory);
        one = both.get(0);
        two = both.get(1);
        ada = one.client().as(Principal.localAdmin("ada", "127.0.0.1"), TestDatacenter.PATIENCE);
        Eventually.is(() -> ada.datacenter().peers().stream().allMatch(p -> p.silence() == null));
        two.client().apply(FAR, SPEC, 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> two.client().status(FAR, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        Eventually.is(() -> ada.clusters().items().size() == 1);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void reads_at_dc1_answer_as_at_dc2() {
        var status = Eventually.becomes(() -> ada.status(FAR, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        assertThat(status.datacenters()).extracting(d -> d.datacenter()).containsExactly(DC2);
        assertThat(ada.spec(FAR)).isEqualTo(two.client().spec(FAR));
        assertThat(ada.specs(FAR)).isEqualTo(two.client().specs(FAR)).hasSize(1);
        assertThat(ada.operations(FAR)).isEmpty();
        var here = catchThrowableOfType(RefusedException.class, () -> ada.status(FAR, Scope.LOCAL));
        assertThat(here.problem().code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN);
    }

    @Test
    void a_request_of_another_datacenter_is_answered_here_and_not_forwarded_again() {
        RingmasterClient peer = one.client().asPeer();
        for (Runnable request : List.<Runnable>of(
                () -> peer.spec(FAR),
                () -> peer.specs(FAR),
                () -> peer.status(FAR, Scope.FLEET),
                () -> peer.ring(FAR, Scope.FLEET),
                () -> peer.operations(FAR),
                () -> peer.operate(FAR, "flush", new OperationAsk(Map.of(), ""), ChangeOptions.APPLY),
                () -> peer.as(Principal.localAdmin("ada", "127.0.0.1"), TestDatacenter.PATIENCE)
                        .delete(FAR, false, null, ChangeOptions.APPLY))) {
            var refused = catchThrowableOfType(RefusedException.class, request::run);
            assertThat(refused.problem().code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN);
        }
        assertThat(two.client().spec(FAR).version()).isEqualTo(1);
    }

    @Test
    void a_standby_leads_a_request_of_another_datacenter_no_further_than_to_its_leader() throws IOException {
        RingmasterClient standby = TestDatacenter.client(one.startAnotherServer(), TestDatacenter.TOKEN);
        Eventually.becomes(standby::health, h -> h.state() == Health.State.STANDBY && h.leaderUrl() != null);
        assertThat(standby.spec(FAR).version()).isEqualTo(1);
        for (Runnable request : List.<Runnable>of(() -> standby.asPeer().spec(FAR), () -> standby.asPeer()
                .operate(FAR, "flush", new OperationAsk(Map.of(), ""), ChangeOptions.APPLY))) {
            var refused = catchThrowableOfType(RefusedException.class, request::run);
            assertThat(refused.problem().code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN);
        }
    }

    @Test
    void changes_at_dc1_are_made_in_dc2_and_audited_there_under_the_name_of_the_user() {
        var flush = ada.operate(FAR, "flush", new OperationAsk(Map.of(), ""), ChangeOptions.APPLY);
        assertThat(flush.request().who()).isEqualTo("ada");
        assertThat(ada.operations(FAR))
                .extracting(o -> o.request().id())
                .contains(flush.request().id());
        String changed = SPEC + "cassandra_yaml: {compaction_throughput: 24MiB/s}\n";
        assertThat(ada.apply(FAR, changed, 1L, ChangeOptions.APPLY).specVersion())
                .isEqualTo(2);
        assertThat(two.client().spec(FAR).appliedBy()).isEqualTo("ada");
        ada.delete(FAR, true, 2L, ChangeOptions.APPLY);
        assertThat(byAda())
                .extracting(AuditEntry::what)
                .containsExactlyInAnyOrder("flush far", "apply far", "delete far {destroy_data=true}");
        Eventually.is(() -> ada.clusters().items().isEmpty());
        var gone = catchThrowableOfType(RefusedException.class, () -> ada.spec(FAR));
        assertThat(gone.problem().code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN);
    }

    @Test
    void plans_and_machines_of_dc2_are_steered_under_the_name_of_the_user() {
        two.stopExecutors();
        PlanId plan = two.client()
                .operate(FAR, "restart", new OperationAsk(Map.of(), ""), ChangeOptions.APPLY)
                .plans()
                .get(0)
                .id();
        assertThat(ada.ask(plan, PlanVerb.ABORT, null).status()).isEqualTo(PlanStatus.ABORTED);
        ada.cordon(DC2, new MachineName("machine-3"), "a test");
        ada.uncordon(DC2, new MachineName("machine-3"));
        assertThat(byAda())
                .extracting(AuditEntry::what)
                .containsExactlyInAnyOrder("abort plan " + plan, "cordon machine-3: a test", "uncordon machine-3");
    }

    @Test
    void a_silent_datacenter_is_named() {
        two.stopServer();
        for (Runnable request : List.<Runnable>of(
                () -> ada.status(FAR, Scope.FLEET),
                () -> ada.spec(FAR),
                () -> ada.delete(FAR, false, null, ChangeOptions.APPLY))) {
            var refused = catchThrowableOfType(RefusedException.class, request::run);
            assertThat(refused.problem().code()).isEqualTo(ErrorCode.PEER_UNREACHABLE);
            assertThat(refused.problem().message()).startsWith("datacenter dc2 does not answer: ");
        }
    }

    /** The audit of dc2. */
    private List<AuditEntry> byAda() {
        return two.client().audit(100, Scope.LOCAL).items().stream()
                .filter(e -> e.who().equals("ada"))
                .toList();
    }
}
