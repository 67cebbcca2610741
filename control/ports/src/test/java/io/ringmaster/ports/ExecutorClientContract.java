package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.FreePorts;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTargetBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link ExecutorClient} does. An implementation provides executors that take targets and report their
 * status; simulated ones override {@link #pass} so that simulated time passes instead of real time.
 */
@Timeout(120)
public abstract class ExecutorClientContract {
    /** The address of every executor; only their ports differ. */
    protected static final String ADDRESS = "127.0.0.1";

    /** Calls of {@link #pass} before a wait fails: 30 s of real time. */
    private static final int PATIENCE = 1_500;
    /** Calls of {@link #pass} after which nothing more is expected: 0.5 s of real time. */
    private static final int QUIET = 25;

    protected final RecordingFactSink facts = new RecordingFactSink();
    private final Map<AllocationId, Allocation> allocations = new TreeMap<>();
    private ExecutorClient client;

    /** A client that is not started. */
    protected abstract ExecutorClient open();

    /**
     * Starts an executor with a first target, and its daemon; a second call after {@link #stopExecutor} starts a new
     * process.
     */
    protected abstract void startExecutor(Allocation allocation, NodeTarget first);

    /** Ends the executor; nothing answers for the allocation afterwards. */
    protected abstract void stopExecutor(Allocation allocation);

    /** The target that the running executor last accepted. */
    protected abstract NodeTarget targetInForce(Allocation allocation);

    /** Lets 20 ms pass. */
    protected void pass() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** An allocation of the node with this index; the same arguments give the same allocation. */
    protected Allocation allocation(int index, int attempt) {
        NodeId node = new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index);
        AllocationId id = new AllocationId("rides-dc1-node-" + index + "-" + attempt);
        return allocations.computeIfAbsent(
                id,
                i -> new Allocation(
                        i,
                        node,
                        new MachineName("machine-" + (index + 1)),
                        new NodePorts(7000, 7001, 9042, FreePorts.next()),
                        SampleRecords.RESOURCES));
    }

    protected static NodeTarget target(Allocation allocation, long generation) {
        return NodeTargetBuilder.builder(SampleRecords.target(allocation))
                .generation(generation)
                .cassandraYaml(Map.of("concurrent_reads", 32 + (int) generation))
                .build();
    }

    @BeforeEach
    final void startClient() {
        client = open();
        client.start(facts);
    }

    @AfterEach
    final void closeClient() {
        client.close();
    }

    private void await(String what, BooleanSupplier holds) {
        for (int i = 0; i < PATIENCE; i++) {
            if (holds.getAsBoolean()) {
                return;
            }
            pass();
        }
        throw new AssertionError("not within the limit: " + what + "; came: " + facts.all());
    }

    private void quiet() {
        for (int i = 0; i < QUIET; i++) {
            pass();
        }
    }

    private void watch(Allocation allocation) {
        client.watch(new Command.Watch(allocation.node(), allocation));
    }

    /** Applies until the target is reported: a client may lose a command, as the controller sends it again. */
    private void applied(Allocation allocation, NodeTarget target) {
        for (int i = 0; i < PATIENCE; i++) {
            if (i % QUIET == 0) {
                client.apply(new Command.Apply(allocation, target));
            }
            if (generations(allocation).contains(target.generation())) {
                return;
            }
            pass();
        }
        throw new AssertionError("generation " + target.generation() + " is not reported; came: " + facts.all());
    }

    private List<Long> generations(Allocation allocation) {
        return facts.all(Fact.NodeReported.class).stream()
                .filter(f -> f.status().node().equals(allocation.node()))
                .map(f -> f.status().generation())
                .toList();
    }

    private void awaitReport(Allocation allocation) {
        await("a report of " + allocation.node(), () -> !generations(allocation).isEmpty());
    }

    private void awaitSilence(Allocation allocation) {
        await("silence of " + allocation.node(), () -> facts.all(Fact.NodeSilent.class).stream()
                .anyMatch(f -> f.node().equals(allocation.node())));
    }

    @Test
    void every_watched_node_is_reported() {
        for (int index = 0; index < 3; index++) {
            startExecutor(allocation(index, 1), target(allocation(index, 1), 1));
            watch(allocation(index, 1));
        }
        for (int index = 0; index < 3; index++) {
            awaitReport(allocation(index, 1));
        }
    }

    @Test
    void an_authority_is_reported_each_time_that_it_is_asked_for() {
        AuthorityName authority = AuthorityName.internode(SampleRecords.RIDES, SampleRecords.DC1, 1);
        for (int times = 1; times <= 2; times++) {
            int reports = times;
            client.makeAuthority(new Command.MakeAuthority(authority));
            await("report " + times, () -> facts.all(Fact.AuthorityMade.class).size() == reports);
        }
        assertThat(facts.all(Fact.AuthorityMade.class))
                .allMatch(f -> f.authority().equals(authority));
        assertThat(Set.copyOf(facts.all(Fact.AuthorityMade.class)))
                .as("one certificate")
                .hasSize(1);
    }

    @Test
    void a_node_that_is_not_watched_is_not_reported() {
        startExecutor(allocation(0, 1), target(allocation(0, 1), 1));
        startExecutor(allocation(1, 1), target(allocation(1, 1), 1));
        watch(allocation(0, 1));
        awaitReport(allocation(0, 1));
        quiet();
        assertThat(generations(allocation(1, 1))).isEmpty();
    }

    @Test
    void each_applied_target_is_taken_and_its_generation_reported() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        watch(allocation);
        awaitReport(allocation);
        for (long generation = 2; generation <= 6; generation++) {
            applied(allocation, target(allocation, generation));
            assertThat(targetInForce(allocation)).isEqualTo(target(allocation, generation));
        }
    }

    @Test
    void applying_a_target_twice_changes_nothing_and_an_older_one_does_not_replace_it() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        watch(allocation);
        applied(allocation, target(allocation, 3));
        client.apply(new Command.Apply(allocation, target(allocation, 3)));
        client.apply(new Command.Apply(allocation, target(allocation, 2)));
        quiet();
        assertThat(targetInForce(allocation)).isEqualTo(target(allocation, 3));
        applied(allocation, target(allocation, 4));
        assertThat(generations(allocation)).doesNotContain(2L);
    }

    @Test
    void a_target_for_a_node_that_is_down_is_refused_while_its_daemon_runs() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        watch(allocation);
        awaitReport(allocation);
        quiet(); // its daemon starts
        client.apply(new Command.Apply(allocation, target(allocation, 2), true));
        quiet();
        assertThat(targetInForce(allocation)).isEqualTo(target(allocation, 1));
        applied(allocation, target(allocation, 2));
    }

    @Test
    void an_older_report_never_follows_a_newer_one() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        watch(allocation);
        for (long generation = 2; generation <= 12; generation++) {
            watch(allocation);
            applied(allocation, target(allocation, generation));
        }
        quiet();
        assertThat(generations(allocation)).isSorted().endsWith(12L);
    }

    @Test
    void an_executor_that_never_answered_is_silent_with_a_reason() {
        watch(allocation(0, 1));
        awaitSilence(allocation(0, 1));
        assertThat(facts.all(Fact.NodeSilent.class))
                .allSatisfy(f -> assertThat(f.reason()).isNotBlank());
        assertThat(facts.all(Fact.NodeReported.class)).isEmpty();
    }

    @Test
    void an_executor_that_ends_becomes_silent_and_is_reported_again_once_it_runs_again() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 5));
        watch(allocation);
        awaitReport(allocation);
        stopExecutor(allocation);
        awaitSilence(allocation);
        facts.clear();
        startExecutor(allocation, target(allocation, 5));
        awaitReport(allocation);
    }

    @Test
    void a_target_for_an_executor_that_does_not_run_is_harmless() {
        Allocation allocation = allocation(0, 1);
        watch(allocation);
        client.apply(new Command.Apply(allocation, target(allocation, 2)));
        awaitSilence(allocation);
        startExecutor(allocation, target(allocation, 1));
        applied(allocation, target(allocation, 2));
    }

    @Test
    void no_fact_follows_a_forget() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        startExecutor(allocation(1, 1), target(allocation(1, 1), 1));
        watch(allocation);
        watch(allocation(1, 1));
        awaitReport(allocation);
        client.apply(new Command.Apply(allocation, target(allocation, 2)));
        client.forget(new Command.Forget(allocation.node()));
        facts.clear();
        applied(allocation(1, 1), target(allocation(1, 1), 2));
        stopExecutor(allocation);
        quiet();
        assertThat(generations(allocation)).isEmpty();
        assertThat(facts.all(Fact.NodeSilent.class)).noneMatch(f -> f.node().equals(allocation.node()));
    }

    @Test
    void a_forgotten_node_can_be_watched_again() {
        Allocation allocation = allocation(0, 1);
        startExecutor(allocation, target(allocation, 1));
        client.forget(new Command.Forget(allocation.node()));
        watch(allocation);
        awaitReport(allocation);
        client.forget(new Command.Forget(allocation.node()));
        facts.clear();
        watch(allocation);
        awaitReport(allocation);
    }

    @Test
    void once_a_node_is_watched_in_another_allocation_the_former_one_is_not_reported() {
        Allocation former = allocation(0, 1);
        Allocation latter = allocation(0, 2);
        startExecutor(former, target(former, 1));
        watch(former);
        awaitReport(former);
        startExecutor(latter, target(latter, 7));
        watch(latter);
        facts.clear();
        awaitReport(latter);
        client.apply(new Command.Apply(former, target(former, 2)));
        quiet();
        assertThat(generations(latter)).containsOnly(7L);
    }
}
