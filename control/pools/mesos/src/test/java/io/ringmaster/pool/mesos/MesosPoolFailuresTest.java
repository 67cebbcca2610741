package io.ringmaster.pool.mesos;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.PENDING;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.fleet.AllocationState.Status.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a master, an agent or a network does to the pool; on a stand-in master. */
@Timeout(60)
class MesosPoolFailuresTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Allocation NODE_0 = MesosSamples.allocation(0);
    private static final String ID = NODE_0.id().value();

    private final StandInMaster master = new StandInMaster(MesosSamples.MACHINE, "127.0.0.12");
    private final FakePoolRecords records = new FakePoolRecords();
    private final RecordingFactSink facts = new RecordingFactSink();
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

    private void restart() {
        pool.close();
        facts.clear();
        start();
    }

    private AllocationState await(AllocationState.Status status) {
        return facts.awaitStatus(NODE_0.id(), status, LIMIT);
    }

    private void running() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(RUNNING);
        facts.clear();
    }

    private Machine.State machine() {
        return facts.all(Fact.MachineChanged.class).stream()
                .map(Fact.MachineChanged::machine)
                .filter(m -> m.name().equals(NODE_0.machine()))
                .reduce((first, second) -> second)
                .map(Machine::state)
                .orElse(Machine.State.READY);
    }

    @Test
    void an_agent_that_the_master_loses_is_unreachable_with_what_runs_there_and_comes_back_with_it() {
        running();
        Optional<String> run = master.run(ID);
        master.lose(MesosSamples.MACHINE);
        AllocationState lost = await(UNREACHABLE);
        assertThat(lost.problem().code()).isEqualTo(ErrorCode.MACHINE_LOST);
        assertThat(machine()).isEqualTo(Machine.State.UNREACHABLE);

        restart();
        Fact.PoolSeen seen = facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
        assertThat(seen.allocations()).extracting(AllocationState::status).containsExactly(UNREACHABLE);
        assertThat(seen.machines())
                .filteredOn(m -> m.name().equals(NODE_0.machine()))
                .extracting(Machine::state)
                .containsExactly(Machine.State.UNREACHABLE);

        facts.clear();
        master.find(MesosSamples.MACHINE);
        await(RUNNING);
        assertThat(machine()).isEqualTo(Machine.State.READY);
        assertThat(master.run(ID)).isEqualTo(run);
    }

    @Test
    void a_kill_while_the_agent_is_away_is_carried_out_when_it_is_back() {
        running();
        master.lose(MesosSamples.MACHINE);
        await(UNREACHABLE);
        pool.kill(new Command.Kill(NODE_0.id()), 1);
        facts.clear();
        master.find(MesosSamples.MACHINE);
        await(RESERVED);
        assertThat(master.run(ID)).isEmpty();
    }

    @Test
    void a_stream_that_ends_is_opened_again_and_what_happened_meanwhile_is_seen() {
        running();
        master.dropStream();
        master.crash(ID);
        assertThat(await(EXITED).detail()).contains("TASK_FAILED");
        facts.clear();
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 2), 1);
        await(RUNNING);
    }

    @Test
    void a_framework_that_mesos_removed_is_replaced_and_the_reservations_are_adopted() {
        running();
        String before = frameworkId();
        master.removeFramework();
        await(RESERVED);
        assertThat(frameworkId()).isNotEqualTo(before);
        facts.clear();
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 2), 1);
        await(RUNNING);
    }

    private String frameworkId() {
        return new String(records.get("mesos.framework-id").orElseThrow(), StandardCharsets.UTF_8);
    }

    @Test
    void a_restarted_server_subscribes_as_the_same_framework() {
        String before = frameworkId();
        restart();
        assertThat(frameworkId()).isEqualTo(before);
    }

    @Test
    void offers_are_suppressed_while_no_command_needs_one() throws InterruptedException {
        running();
        for (int i = 0; i < 100 && !master.isSuppressed(); i++) {
            Thread.sleep(20);
        }
        assertThat(master.isSuppressed()).isTrue();
        int before = master.offersMade.get();
        Thread.sleep(500);
        assertThat(master.offersMade.get()).isEqualTo(before);
        pool.kill(new Command.Kill(NODE_0.id()), 1);
        await(RESERVED);
        pool.release(new Command.Release(NODE_0.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        assertThat(master.offersMade.get()).isGreaterThan(before);
    }

    @Test
    void a_reservation_that_does_not_fit_waits_and_says_for_what() {
        NodeResources all = NODE_0.resources();
        Allocation large =
                NODE_0.withResources(new NodeResources(64_000, all.memoryBytes(), all.heapBytes(), all.diskBytes()));
        pool.reserve(new Command.Reserve(large), 1);
        AllocationState waits = facts.awaitStatus(large.id(), PENDING, Duration.ofSeconds(30));
        assertThat(waits.problem().message()).contains(MesosSamples.MACHINE, "64 cpus, 4 are free");
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
    }

    @Test
    void a_principal_is_authenticated_by_the_secret_in_its_file(@TempDir Path folder) throws IOException {
        assertThat(master.authorization).isNull();
        Path secret = Files.writeString(folder.resolve("secret"), "hidden\n");
        MesosPoolSettings s = MesosSamples.settings(master.address());
        pool.close();
        pool = new MesosPool(
                new MesosPoolSettings(
                        s.datacenter(),
                        s.masters(),
                        s.role(),
                        s.user(),
                        "ringmaster",
                        secret,
                        s.rackAttribute(),
                        s.programs()),
                start -> "sleep 1000");
        pool.start(facts, records);
        String pair = Base64.getEncoder().encodeToString("ringmaster:hidden".getBytes(StandardCharsets.US_ASCII));
        assertThat(master.authorization).isEqualTo("Basic " + pair);
        running();
        assertThat(master.exchanged.toString()).doesNotContain("hidden");
    }

    @Test
    void a_launch_on_a_machine_that_is_not_registered_is_refused() {
        Allocation elsewhere = new Allocation(
                NODE_0.id(), NODE_0.node(), new MachineName("nowhere"), NODE_0.ports(), NODE_0.resources());
        pool.launch(new Command.Launch(elsewhere, "5.0.9", 1), 1);
        assertThat(await(FAILED).problem().message()).contains("nowhere");
    }

    @Test
    void a_launch_of_what_the_pool_does_not_have_says_that_it_is_lost_and_of_a_kept_volume_that_it_is_not() {
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        assertThat(await(FAILED).problem().code()).isEqualTo(ErrorCode.MACHINE_LOST);
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        pool.release(new Command.Release(NODE_0.id(), false), 1);
        await(RELEASED);
        facts.clear();
        pool.relaunch(new Command.Relaunch(NODE_0, "5.0.9", 1), 1);
        assertThat(await(RELEASED).warning()).contains("reserve it first");
    }

    @Test
    void a_launch_that_lost_its_room_leaves_a_volume_that_can_be_reserved_again() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        facts.clear();
        master.fail("RESERVE", "OPERATION_ERROR");
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(FAILED);
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(RELEASED);
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(RUNNING);
    }

    private void reserveWithoutVolume() {
        master.fail("CREATE", "OPERATION_FAILED");
        pool.reserve(new Command.Reserve(NODE_0), 1);
        Problem refused = await(FAILED).problem();
        assertThat(refused.code()).isEqualTo(ErrorCode.POOL_UNAVAILABLE);
        assertThat(refused.message()).contains("refused", "OPERATION_FAILED", "as the test wants it");
        assertThat(master.reserved(ID)).containsExactly("cpus", "disk", "mem", "ports");
        facts.clear();
    }

    private void awaitGone() {
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(NODE_0.id()), LIMIT);
        assertThat(master.reserved(ID)).isEmpty();
    }

    @Test
    void a_reservation_whose_volume_was_not_made_is_given_back_though_the_volume_is_to_be_kept() {
        reserveWithoutVolume();
        pool.release(new Command.Release(NODE_0.id(), false), 1);
        awaitGone();
    }

    @Test
    void a_reservation_whose_volume_was_not_made_is_known_after_a_restart_and_given_back() {
        reserveWithoutVolume();
        restart();
        AllocationState left =
                facts.await(Fact.PoolSeen.class, f -> true, LIMIT).allocations().get(0);
        assertThat(left.status()).isEqualTo(FAILED);
        assertThat(left.problem().code()).isEqualTo(ErrorCode.MACHINE_LOST);
        assertThat(left.problem().message()).contains("has no volume");
        pool.release(new Command.Release(NODE_0.id(), true), 1);
        awaitGone();
    }

    @Test
    void a_reservation_whose_volume_was_not_made_is_adopted_by_a_later_one_of_another_size() {
        reserveWithoutVolume();
        restart();
        NodeResources few = NODE_0.resources();
        Allocation larger =
                NODE_0.withResources(new NodeResources(1000, few.memoryBytes(), few.heapBytes(), 2 * few.diskBytes()));
        pool.reserve(new Command.Reserve(larger), 1);
        assertThat(await(RESERVED).allocation()).isEqualTo(larger);
        assertThat(master.reserved(ID)).containsExactly("cpus", "disk", "mem", "ports");
        pool.launch(new Command.Launch(larger, "5.0.9", 1), 1);
        await(RUNNING);
        pool.release(new Command.Release(NODE_0.id(), true), 1);
        awaitGone();
    }

    @Test
    void what_is_reserved_is_given_back_also_when_only_the_volume_could_be_destroyed() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        master.fail("UNRESERVE", "OPERATION_ERROR");
        pool.release(new Command.Release(NODE_0.id(), true), 1);
        await(FAILED);
        assertThat(master.reserved(ID)).containsExactly("cpus", "disk", "mem", "ports");
        pool.release(new Command.Release(NODE_0.id(), true), 1);
        awaitGone();
    }

    @Test
    void an_operation_that_got_lost_is_tried_again_and_its_state_is_the_reason() {
        master.fail("RESERVE", "OPERATION_DROPPED");
        pool.reserve(new Command.Reserve(NODE_0), 1);
        assertThat(await(PENDING).problem().message()).contains(MesosSamples.MACHINE, "OPERATION_DROPPED");
        await(RESERVED);
    }

    @Test
    void a_command_that_waits_leaves_the_state_and_says_there_for_what() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        assertThat(await(RESERVED).warning()).isNull();
        facts.clear();
        master.fail("UNRESERVE", "OPERATION_UNREACHABLE");
        pool.release(new Command.Release(NODE_0.id(), false), 1);
        assertThat(await(RESERVED).warning()).contains(MesosSamples.MACHINE, "OPERATION_UNREACHABLE");
        pool.release(new Command.Release(NODE_0.id(), false), 1);
        assertThat(await(RELEASED).warning()).isNull();
    }

    @Test
    void a_launch_that_waits_for_its_agent_does_not_hide_that_this_is_unreachable() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        master.lose(MesosSamples.MACHINE);
        await(UNREACHABLE);
        facts.clear();
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(UNREACHABLE);
        master.find(MesosSamples.MACHINE);
        await(RUNNING);
        assertThat(facts.all(Fact.AllocationChanged.class))
                .extracting(f -> f.state().status())
                .doesNotContain(PENDING);
    }

    @Test
    void an_offer_that_the_master_took_back_is_no_refusal_and_another_one_is_used() {
        master.faults.next("ACCEPT", StandInFaults.Fault.VOID_OFFER);
        pool.reserve(new Command.Reserve(NODE_0), 1);
        assertThat(await(PENDING).problem().message()).contains("no longer valid");
        assertThat(await(RESERVED).warning()).isNull();
    }

    @Test
    void a_launch_whose_task_is_dropped_is_no_refusal_and_is_made_again() {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        facts.clear();
        master.fail("LAUNCH", "TASK_DROPPED");
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        assertThat(await(RESERVED).warning()).contains("TASK_DROPPED");
        await(RUNNING);
    }

    @Test
    void a_reserve_waits_a_launch_follows_and_the_reserve_stays() throws InterruptedException {
        master.fail("RESERVE", "OPERATION_DROPPED");
        pool.reserve(new Command.Reserve(NODE_0), 1);
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        assertThat(await(PENDING).problem().message()).contains("OPERATION_DROPPED");
        await(RESERVED);
        assertThat(facts.all(Fact.AllocationChanged.class))
                .extracting(f -> f.state().status())
                .doesNotContain(FAILED);
        pool.launch(new Command.Launch(NODE_0, "5.0.9", 1), 1);
        await(RUNNING);
    }

    @Test
    void a_change_waits_for_an_offer_of_its_volume_and_makes_no_second_one() throws InterruptedException {
        pool.reserve(new Command.Reserve(NODE_0), 1);
        await(RESERVED);
        master.faults.volumesHeldBack = true;
        NodeResources few = NODE_0.resources();
        Allocation larger =
                NODE_0.withResources(new NodeResources(1000, few.memoryBytes(), few.heapBytes(), few.diskBytes()));
        pool.reserve(new Command.Reserve(larger), 1);
        Thread.sleep(1000);
        assertThat(master.calls("ACCEPT")).hasSize(1);
        master.faults.volumesHeldBack = false;
        facts.await(Fact.AllocationChanged.class, f -> f.state().allocation().equals(larger), LIMIT);
        assertThat(master.calls("ACCEPT").toString()).containsOnlyOnce("\"CREATE\"");
    }

    @Test
    void a_task_runs_as_the_user_of_the_settings_also_when_the_framework_first_came_with_another() {
        MesosPoolSettings s = MesosSamples.settings(master.address());
        pool.close();
        pool = new MesosPool(
                new MesosPoolSettings(
                        s.datacenter(),
                        s.masters(),
                        s.role(),
                        "other",
                        s.principal(),
                        s.secretFile(),
                        s.rackAttribute(),
                        s.programs()),
                start -> "sleep 1000");
        pool.start(facts, records);
        running();
        assertThat(master.calls("ACCEPT"))
                .last()
                .extracting(accept -> accept.findValue("command").path("user").asText())
                .isEqualTo("other");
    }
}
