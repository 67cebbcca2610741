package io.ringmaster.pool.mesos;

import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.fleet.AllocationState.Status.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the next server, or the next subscription, makes of what the one before left; on a stand-in master. */
@Timeout(60)
class MesosPoolRecoveryTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Allocation NODE_0 = MesosSamples.allocation(0);
    private static final String CLAIMS = "mesos.claims.";

    private final StandInMaster master = new StandInMaster(MesosSamples.MACHINE, "127.0.0.12");
    private final RecordingFactSink facts = new RecordingFactSink();
    private FakePoolRecords records = new FakePoolRecords();
    private MesosPool pool;

    @BeforeEach
    void start() {
        pool = new MesosPool(MesosSamples.settings(master.address()), start -> "sleep 1000");
        pool.start(facts, records);
    }

    @AfterEach
    void stop() {
        pool.close();
        master.close();
    }

    /** What the next server reports first. */
    private Fact.PoolSeen restart() {
        pool.close();
        facts.clear();
        start();
        return facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
    }

    /** Sends it again, as the controller does. */
    private void reserve() {
        for (int left = 10; ; left--) {
            pool.reserve(new Command.Reserve(NODE_0), 1);
            try {
                facts.awaitStatus(NODE_0.id(), RESERVED, AGAIN);
                return;
            } catch (AssertionError e) {
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    private void run() {
        reserve();
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        facts.awaitStatus(NODE_0.id(), RUNNING, LIMIT);
    }

    @Test
    void a_claim_on_an_agent_that_the_master_does_not_list_is_unreachable_for_a_server_that_starts() {
        reserve();
        master.lose(MesosSamples.MACHINE);
        Fact.PoolSeen seen = restart();
        assertThat(seen.allocations()).extracting(AllocationState::status).containsExactly(UNREACHABLE);
        assertThat(seen.allocations()).extracting(AllocationState::allocation).containsExactly(NODE_0);
        assertThat(seen.machines())
                .filteredOn(m -> m.name().equals(NODE_0.machine()))
                .extracting(Machine::state)
                .containsExactly(Machine.State.UNREACHABLE);

        facts.clear();
        pool.release(new Command.Release(NODE_0.id(), true), 1); // waits for the agent
        master.find(MesosSamples.MACHINE);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        assertThat(restart().allocations()).isEmpty();
    }

    @Test
    void a_claim_is_gone_when_its_agent_is_back_without_it() {
        reserve();
        master.lose(MesosSamples.MACHINE);
        assertThat(restart().allocations()).hasSize(1);
        master.findEmpty(MesosSamples.MACHINE);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        master.lose(MesosSamples.MACHINE);
        assertThat(restart().allocations()).isEmpty();
    }

    @Test
    void claims_are_written_when_they_change_and_not_with_each_picture() throws InterruptedException {
        run();
        int after = records.writes(CLAIMS);
        assertThat(after).isBetween(1, 3);
        Thread.sleep(300);
        restart();
        master.lose(MesosSamples.MACHINE);
        facts.awaitStatus(NODE_0.id(), UNREACHABLE, LIMIT);
        assertThat(records.writes(CLAIMS)).isEqualTo(after);
    }

    private static String id(JsonNode subscribe) {
        return subscribe.path("framework_id").path("value").asText();
    }

    @Test
    void the_framework_is_in_the_store_before_the_master_knows_it() {
        String stored = new String(records.get("mesos.framework-id").orElseThrow(), StandardCharsets.UTF_8);
        assertThat(stored).startsWith("ringmaster-dc1-");
        restart();
        assertThat(master.calls("SUBSCRIBE"))
                .extracting(MesosPoolRecoveryTest::id)
                .containsExactly(stored, stored);
    }

    @Test
    void a_server_that_leads_no_more_does_not_subscribe_again() throws InterruptedException {
        records.depose();
        master.dropStream();
        Thread.sleep(1500);
        assertThat(master.calls("SUBSCRIBE")).hasSize(1);
    }

    @Test
    void tasks_of_a_former_framework_are_found_by_their_labels() {
        run();
        records = new FakePoolRecords();
        Fact.PoolSeen seen = restart();
        assertThat(master.calls("SUBSCRIBE"))
                .extracting(MesosPoolRecoveryTest::id)
                .doesNotHaveDuplicates();
        assertThat(seen.allocations()).extracting(AllocationState::status).containsExactly(RUNNING);
    }

    @Test
    void an_offer_whose_answer_is_lost_is_not_held_for_ever() {
        pool.close();
        master.faults.next("DECLINE", StandInFaults.Fault.LOST);
        start();
        facts.clear();
        reserve();
        assertThat(master.calls("SUBSCRIBE")).hasSizeGreaterThan(2);
    }

    @Test
    void an_acceptance_that_is_lost_is_made_again() throws InterruptedException {
        reserveAfter(StandInFaults.Fault.LOST);
    }

    @Test
    void an_acceptance_whose_answer_is_lost_is_not_made_twice() throws InterruptedException {
        reserveAfter(StandInFaults.Fault.NOT_ANSWERED);
        assertThat(master.calls("ACCEPT")).hasSize(1);
    }

    private void reserveAfter(StandInFaults.Fault fault) throws InterruptedException {
        master.faults.next("ACCEPT", fault);
        pool.reserve(new Command.Reserve(NODE_0), 1);
        facts.await(Fact.PoolUnavailable.class, f -> true, LIMIT);
        while (master.calls("SUBSCRIBE").size() == 1) {
            Thread.sleep(10);
        }
        facts.clear();
        reserve();
    }

    @Test
    void a_new_volume_is_empty_also_where_the_agent_has_forgotten_a_former_one() {
        reserve();
        master.writeToVolume(NODE_0.id().value(), "old");
        master.lose(MesosSamples.MACHINE);
        facts.awaitStatus(NODE_0.id(), UNREACHABLE, LIMIT);
        master.findEmpty(MesosSamples.MACHINE);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        facts.clear();
        reserve();
        assertThat(master.readFromVolume(NODE_0.id().value())).isEmpty();
    }

    @Test
    void what_ran_on_an_agent_that_is_back_without_its_state_is_gone_and_can_be_reserved_and_launched() {
        run();
        master.lose(MesosSamples.MACHINE);
        facts.awaitStatus(NODE_0.id(), UNREACHABLE, LIMIT);
        master.findEmpty(MesosSamples.MACHINE);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        facts.clear();
        reserve();
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 2), 1);
        facts.awaitStatus(NODE_0.id(), RUNNING, LIMIT);
    }
}
