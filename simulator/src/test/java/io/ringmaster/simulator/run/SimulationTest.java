package io.ringmaster.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.run.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final int RUNS = 60;

    private static String told(Outcome outcome) {
        return "seed " + outcome.seed() + " with " + outcome.faults() + ": " + outcome.violation() + "\n"
                + String.join("\n", outcome.lines());
    }

    @Test
    void clusters_become_what_is_declared_whatever_breaks() {
        List<Outcome> failed = LongStream.rangeClosed(1001, 1000 + RUNS)
                .parallel()
                .mapToObj(seed -> Simulation.run(seed, SimOptions.mixed()))
                .filter(o -> !o.passed())
                .toList();
        assertThat(failed.stream().map(SimulationTest::told)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calm",
                "kill",
                "session",
                "store",
                "messages",
                "executor-crash",
                "daemon-crash",
                "slow-start",
                "failed-start",
                "cut",
                "machine",
                "disk"
            })
    void each_kind_of_fault_alone_is_survived(String scenario) {
        Outcome outcome = Simulation.run(7, SimOptions.mixed().with(scenario));
        assertThat(outcome.passed()).as(told(outcome)).isTrue();
    }

    @Test
    void the_same_seed_gives_the_same_trace_and_another_seed_another() {
        Outcome one = Simulation.run(42, SimOptions.mixed());
        Outcome again = Simulation.run(42, SimOptions.mixed());
        assertThat(again.lines()).isEqualTo(one.lines());
        assertThat(again.digest()).isEqualTo(one.digest());
        assertThat(Simulation.run(43, SimOptions.mixed()).digest()).isNotEqualTo(one.digest());
    }

    @Test
    void a_controller_without_its_gate_breaks_the_budget_within_a_few_runs() {
        assertSoundWithout(firstCaught(Mutation.AVAILABILITY_CHECK_REMOVED, 25, "budget", "replaced-beside-none-down"));
    }

    @Test
    void a_controller_that_acts_before_it_persists_is_caught_within_a_few_runs() {
        assertSoundWithout(firstCaught(Mutation.ACT_BEFORE_PERSIST, 15));
    }

    @ParameterizedTest
    @CsvSource({
        "SPEC_CHECK_REMOVED, budget",
        "REQUEST_CHECK_REMOVED, budget",
        "SCHEMA_IGNORED, one-schema",
        "PEER_REPORTS_IGNORED, budget",
        "LOCK_IGNORED, one-repair",
        "REPLICATION_UNKNOWN, replicas-kept",
        "EMPTY_VOLUME_CREATED, no-volume-lost",
        "VOLUME_DESTROYED, no-volume-lost",
        "GOSSIP_IGNORED, seen-by-all",
        "HINTS_IGNORED, hints-delivered",
        "EPOCH_UNCHECKED, only-the-leader-asks",
        "REPLICATION_NOT_REDUCED, replicas-kept",
        "REBUILD_SKIPPED, converges"
    })
    void a_controller_without_one_of_its_guards_is_caught_within_a_few_runs(Mutation plant, String invariant) {
        assertSoundWithout(firstCaught(plant, 60, invariant));
    }

    @Test
    void a_controller_that_replaces_nodes_beside_others_that_are_down_is_caught() {
        SimOptions often = SimOptions.mixed().with("disk,machine");
        Outcome caught = Simulation.run(1, often.with(Mutation.REPLACE_CHECK_REMOVED));
        assertThat(caught.invariant()).as(told(caught)).isEqualTo("replaced-beside-none-down");
        Outcome sound = Simulation.run(1, often);
        assertThat(sound.passed()).as(told(sound)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"LEAVING_DATACENTER_IGNORED, 313, one-ring-change", "ALLOCATION_LEAKED, 6053, converges"})
    void a_controller_without_a_guard_that_is_rarely_asked_is_caught_where_it_is(
            Mutation plant, long seed, String invariant) {
        Outcome caught = Simulation.run(seed, SimOptions.mixed().with(plant));
        assertThat(caught.invariant()).as(told(caught)).isEqualTo(invariant);
        assertSoundWithout(caught);
    }

    /** By one of these invariants, or by any if none is named: a bug may break others, too. */
    private static Outcome firstCaught(Mutation plant, int runs, String... invariants) {
        return LongStream.rangeClosed(1, runs)
                .mapToObj(seed -> Simulation.run(seed, SimOptions.mixed().with(plant)))
                .filter(o -> !o.passed())
                .filter(o -> invariants.length == 0 || List.of(invariants).contains(o.invariant()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        plant + " was not caught in " + runs + " runs by any of " + List.of(invariants)));
    }

    /** It was the planted bug that was caught, and nothing else. */
    private static void assertSoundWithout(Outcome caught) {
        Outcome sound = Simulation.run(caught.seed(), SimOptions.mixed());
        assertThat(sound.passed()).as(told(sound)).isTrue();
    }

    /** Each of these seeds once found a bug in the controller, or an invariant that asked for too much. */
    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "5   | the first datacenter began a newer version while the second still restarted a node for the older one",
                "36  | a plan drafted before the cluster was complete did not take its turn after it",
                "83  | nodes were restarted at once while another datacenter called the cluster complete",
                "183 | a broken node stood behind a healthy one in the plan and each waited for the other",
                "229 | a node that was placed and never launched kept the other datacenter from planning, and its plan from releasing it",
                "304 | the same, with servers killed while cut off",
                "745 | the same, after two cuts with a change on either side",
                "521 | a cluster deleted here and changed there while cut off stood without nodes here for ever",
                "532 | the same, deleted where the newest version was not known",
                "484 | a server that led no more, and had not heard of it, killed the nodes of a cluster that was declared anew",
                "300065 | a server died between deciding a restart and sending it, and the next one sent it while another datacenter's node was down",
                "90181 | a datacenter made volumes of a cluster after it was told to go elsewhere, and destroyed them as asked",
                "533 | the same, changed after all was gone here",
                "724 | the same, with sessions lost",
                "863 | the same, before the other datacenter knew that it was created",
                "948 | the same, with servers killed",
                "184 | a leader killed when the cluster became complete: the next restarted two nodes of version 3 at once",
                "239 | a leader killed when the cluster became complete: the next restarted all three nodes at once",
                "299 | a session lost before the other datacenter said that the cluster is complete: two nodes at once",
                "388 | a leader that was away while the cluster became complete restarted three nodes at once",
                "409 | a leader that was away while two clusters became complete restarted all nodes of both",
                "465 | a leader killed after the last node was NORMAL: the next restarted the nodes before it at once",
                "485 | a node seen STARTING was NORMAL again when it was taken down beside another that drained",
                "968 | a leader killed before it stored that the last node joined: the next restarted two at once",
                "406 | a plan was retried and the server killed before it looked: it had no reason until the next led",
                "1110 | a server that led no more claimed anew what was released, and another cluster had its port",
                "1285 | a node that was to leave could not start with a bad spec, and the good one waited for it",
                "2353 | the same, broken after the good one was planned",
                "6618 | the same, with the datacenters cut off",
                "6640 | a late word of a node that had left kept its successor from being watched",
                "1259 | a replacement waited for a node that left meanwhile, and stayed failed whoever retried it",
                "3977 | a broken node came back by itself before it was mended out of turn, and another datacenter took one down",
                "6797 | a node began to leave while the other datacenter, told of a newer version, still had one that joined",
                "9592 | the same, with the datacenters cut off before",
                "2522 | the store failed when a node had left: it was watched on, and its successor never",
                "9321 | a broken node that started once more served when it heard that it is to be mended beside a dead one",
                "9910 | a restart was held back until a dead node is replaced, whose replacement waited for it",
                "7491 | the same, and the other datacenter waited for both",
                "7657 | a replaced node lost its new volume, too, before its step was over, and nobody could replace it",
                "1797 | an executor was told of its newest target by being started anew: in the simulator alone, where pools leave a target that is there alone",
                "1924 | a cluster declared anew by a server that died before it could answer inherited the dead of the one before: in the simulator alone",
                "6572 | the same",
                "9288 | the same, where the store did not say whether it was declared",
                "1574 | a late decision was sent when the other datacenter, silent until then, had just taken its own",
                "2267 | a cluster that exists was declared in vain, and its dead were forgotten: in the simulator alone",
                "7643 | a node that was being replaced was not counted among those that keep replicas, and another left",
                "9737 | the same",
                "9755 | the same, by a spec that had been refused until then",
                "6398 | a node stopped to be moved waited for a dead one, whose replacement waited for it",
                "26  | a new leader carried out a late decision before it had heard all nodes",
                "213 | a member of a datacenter that was to leave lost its volume, and could neither leave nor be replaced",
                "313 | a node began to leave beside one of a datacenter that was to leave, which the gate did not ask",
                "883 | the only node of its datacenter began to leave beside one that was down, and was not asked itself",
                "1563 | replicas were left in a keyspace because the node that was to take them out was being replaced",
                "2143 | the only datacenter that was ever complete was taken out where its plan could not be drafted",
                "2433 | after a cut a datacenter that was to leave acted beside one that stays, before their servers heard each other",
                "3653 | a repair was resumed in a datacenter that had left, and waited for a version that nobody told it of",
                "5913 | a cluster declared under the name of a deleted one was taken for that one, leaving: in the simulator alone",
                "6053 | a claim that was late came when its node was dropped already, and stayed for ever",
                "715 | a plan was resumed and the server killed before it looked: it had no reason until the next led"
            })
    void what_went_wrong_once_does_not_again(long seed, String what) {
        Outcome outcome = Simulation.run(seed, SimOptions.mixed());
        assertThat(outcome.passed()).as(what + "\n" + told(outcome)).isTrue();
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "203 | messages     | rows were missed that had gone with a deleted cluster: in the simulator alone",
                "643 | disk,machine | a member that was being replaced was given back when its datacenter left, and its dead self stayed",
                "253 | cut,daemon-crash,machine | a node that a bad spec broke was not mended when its datacenter was to leave",
                "293 | daemon-crash | a node was taken down beside one of a datacenter that was to leave"
            })
    void what_went_wrong_once_with_one_kind_of_fault_does_not_again(long seed, String scenario, String what) {
        Outcome outcome = Simulation.run(seed, SimOptions.mixed().with(scenario));
        assertThat(outcome.passed()).as(what + "\n" + told(outcome)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {132, 523, 1073})
    void a_node_that_loses_its_volume_while_it_leaves_is_taken_out_of_the_ring(long seed) {
        List<String> trace = new ArrayList<>();
        Outcome outcome = Simulation.run(seed, new SimOptions("disk,machine", Mutation.NONE, trace::add));
        assertThat(outcome.passed()).as(told(outcome)).isTrue();
        assertThat(trace).anyMatch(line -> line.contains("removed it from the ring"));
    }

    @Test
    void a_scenario_that_is_not_known_names_those_that_are() {
        assertThatThrownBy(() -> Simulation.run(1, SimOptions.mixed().with("flood")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'flood' is unknown, allowed: mixed, calm, [kill, session");
    }
}
