package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs is what the dry run showed, over two datacenters. */
class IfPlanTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 2, seeds: 1}", "dc2: {nodes: 1, seeds: 1}");
    private static final String LARGER = SPEC.replace("dc2: {nodes: 1", "dc2: {nodes: 2");
    private static final OperationAsk ALL = new OperationAsk(Map.of(), "");

    @TempDir
    Path directory;

    private TestDatacenter one;
    private TestDatacenter two;
    private RingmasterClient client;

    @BeforeEach
    void start() throws IOException {
        List<TestDatacenter> both = TestDatacenter.two(directory);
        one = both.get(0);
        two = both.get(1);
        client = one.client();
        Eventually.is(() -> client.datacenter().peers().stream().allMatch(p -> p.silence() == null));
        client.apply(RIDES, SPEC, 0L, accepted(dryRunOf(SPEC)));
        untilHealthy(3);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void the_plans_of_a_dry_run_are_accepted() {
        var dry = client.operate(RIDES, "restart", ALL, ChangeOptions.DRY_RUN);
        assertThat(Objects.requireNonNull(dry.impact()).stops()).hasSize(3);
        assertThat(dry.impact().mostAtOnce()).isEqualTo(1);
        var restart = client.operate(RIDES, "restart", ALL, accepted(Objects.requireNonNull(dry.digest())));
        assertThat(restart.dryRun()).isFalse();
        assertThat(restart.digest()).isNull();
        Eventually.is(() -> client.plans(RIDES).items().stream()
                        .filter(p -> p.operation().equals("restart") && p.status() == PlanStatus.COMPLETE)
                        .count()
                == 2);
        client.apply(RIDES, LARGER, null, accepted(dryRunOf(LARGER)));
        untilHealthy(4);
        var delete = client.delete(RIDES, true, null, ChangeOptions.DRY_RUN);
        assertThat(Objects.requireNonNull(delete.impact()).destroysVolumes()).hasSize(4);
        client.delete(RIDES, true, null, accepted(Objects.requireNonNull(delete.digest())));
        Eventually.is(() -> client.clusters().items().isEmpty());
    }

    @Test
    void after_a_change_in_between_the_plans_are_refused_and_nothing_is_changed() {
        PlanDigest restart = Objects.requireNonNull(
                client.operate(RIDES, "restart", ALL, ChangeOptions.DRY_RUN).digest());
        PlanDigest delete = Objects.requireNonNull(
                client.delete(RIDES, false, null, ChangeOptions.DRY_RUN).digest());
        String live = SPEC + "cassandra_yaml: {compaction_throughput: 24MiB/s}\n";
        PlanDigest apply = dryRunOf(live);
        two.client().apply(RIDES, LARGER, null, ChangeOptions.APPLY);
        untilHealthy(4);
        List<Plan> before = client.plans(RIDES).items();
        refused(() -> client.operate(RIDES, "restart", ALL, accepted(restart)));
        refused(() -> client.delete(RIDES, false, null, accepted(delete)));
        refused(() -> client.apply(RIDES, live, null, accepted(apply)));
        refused(() -> client.apply(RIDES, LARGER, null, accepted(apply)));
        assertThat(client.plans(RIDES).items()).isEqualTo(before);
        assertThat(client.operations(RIDES)).isEmpty();
        assertThat(client.spec(RIDES).source()).isEqualTo(LARGER);
        assertThat(client.clusters().items()).hasSize(1);
    }

    private PlanDigest dryRunOf(String spec) {
        return Objects.requireNonNull(
                client.apply(RIDES, spec, null, ChangeOptions.DRY_RUN).digest());
    }

    private void untilHealthy(int nodes) {
        Eventually.becomes(
                () -> client.status(RIDES, Scope.FLEET),
                s -> s.condition() == Condition.HEALTHY && s.normal() == nodes);
    }

    private static ChangeOptions accepted(PlanDigest digest) {
        return ChangeOptions.APPLY.ifPlan(digest);
    }

    private static void refused(Supplier<?> change) {
        var refused = catchThrowableOfType(RefusedException.class, change::get);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem().code()).isEqualTo(ErrorCode.PLAN_CHANGED);
    }
}
