package io.ringmaster.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.decide.PlanBuilder;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.run.Simulation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final int RUNS = 60;
    private static final long SECOND_ROUNDS = 2_000_000_001;
    private static final long ROWS_IN_PIECES = 4_000_000_001L;
    private static final long BROKEN_WORK = 3_000_000_001L;
    private static final long UNEVEN_FAULTS = 5_000_000_001L;
    private static final long SILENT_DAEMONS = 7_000_000_101L;
    private static final String ANOTHER_ROUND = "another round: ";

    private static String describe(Outcome outcome) {
        return "seed " + outcome.seed() + " with " + outcome.faults() + ": " + outcome.violation() + "\n"
                + String.join("\n", outcome.lines());
    }

    @ParameterizedTest
    @CsvSource({"1001, " + RUNS, UNEVEN_FAULTS + ", 12"})
    void clusters_become_as_declared_after_any_faults(long first, int runs) {
        List<Outcome> failed = LongStream.range(first, first + runs)
                .parallel()
                .mapToObj(seed -> Simulation.run(seed, SimOptions.mixed()))
                .filter(o -> !o.passed())
                .toList();
        assertThat(failed.stream().map(SimulationTest::describe)).isEmpty();
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
        assertThat(outcome.passed()).as(describe(outcome)).isTrue();
    }

    @Test
    void the_same_seed_gives_the_same_trace_and_another_seed_a_different_one() {
        Outcome one = Simulation.run(42, SimOptions.mixed());
        Outcome again = Simulation.run(42, SimOptions.mixed());
        assertThat(again.lines()).isEqualTo(one.lines());
        assertThat(again.digest()).isEqualTo(one.digest());
        assertThat(Simulation.run(43, SimOptions.mixed()).digest()).isNotEqualTo(one.digest());
    }

    @Test
    void a_controller_without_availability_checks_is_found_within_a_few_runs() {
        assertPassesWithoutBug(
                firstFound(Mutation.AVAILABILITY_CHECK_REMOVED, 25, "disruption-budget", "no-replacement-while-down"));
    }

    @Test
    void a_controller_that_acts_before_it_persists_is_found_within_a_few_runs() {
        assertPassesWithoutBug(firstFound(Mutation.ACT_BEFORE_PERSIST, 15));
    }

    @ParameterizedTest
    @CsvSource({
        "SPEC_CHECK_REMOVED, disruption-budget",
        "SCHEMA_IGNORED, schema-agreement",
        "LOCK_IGNORED, one-repair",
        "EMPTY_VOLUME_CREATED, no-volume-lost",
        "VOLUME_DESTROYED, no-volume-lost",
        "GOSSIP_IGNORED, peers-seen-alive",
        "HINTS_IGNORED, hints-delivered",
        "EPOCH_UNCHECKED, only-leader-commands-pool",
        "OLDER_EPOCHS_ADMITTED, older-epochs-refused",
        "SEED_ADDRESS_NOT_AWAITED, one-ring",
        "HOSTS_KNOWN_BY_ENDPOINT, converges",
        "REBUILD_SKIPPED, converges",
        "REBUILD_FORGOTTEN, acknowledged-rows-readable",
        "CREATED_FORGOTTEN, replicas-complete",
        "STEP_THROWS, no-exception",
        "CLIENTS_ADMITTED_EARLY, closed-until-created",
        "CREATED_TOO_EARLY, closed-until-created"
    })
    void a_controller_without_one_of_its_checks_is_found_within_a_few_runs(Mutation plant, String invariant) {
        assertPassesWithoutBug(firstFound(plant, 60, invariant));
    }

    /** Any thousand seeds find them, so no seed is searched when histories change. */
    @ParameterizedTest
    @CsvSource({
        "NO_REPAIR_AFTER_REPLACE, replicas-complete",
        "CLEANUP_TOO_EARLY, cleanup-beside-serving",
        "REQUEST_REPLAYED, request-once"
    })
    void a_controller_without_a_rule_is_found_within_any_thousand_runs(Mutation plant, String invariant) {
        firstFound(plant, 10_001, 1000, invariant);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "NO_REPAIR_AFTER_REPLACE, replicas-complete",
        "CLEANUP_TOO_EARLY, cleanup-beside-serving",
        "REQUEST_REPLAYED, request-once"
    })
    void it_is_found_within_other_thousands_too(Mutation plant, String invariant) {
        for (long start : List.of(5_000_001L, 900_000_001L)) {
            firstFound(plant, start, 1000, invariant);
        }
    }

    @Test
    void an_executor_that_takes_targets_for_its_former_state_is_found_within_a_thousand_runs() {
        firstFound(Mutation.CONDITION_DROPPED, 10_001, 1000, "disruption-budget");
    }

    /** Takes up to a thousand histories each, which is minutes. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"REPAIR_CHECK_REMOVED, one-repair, 10001", "CONDITION_DROPPED, disruption-budget, 900000001"})
    void a_rarely_needed_rule_that_is_missing_is_found_within_a_thousand_runs(
            Mutation plant, String invariant, long start) {
        firstFound(plant, start, 1000, invariant);
    }

    @Tag("long")
    @Test
    void a_controller_that_replaces_nodes_while_others_are_down_is_found() {
        SimOptions often = SimOptions.mixed().with("disk,machine").with(Mutation.REPLACE_CHECK_REMOVED);
        firstFound(often, 1, 1000, "no-replacement-while-down");
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "PEER_REPORTS_IGNORED, disruption-budget",
        "REQUEST_CHECK_REMOVED, disruption-budget",
        "REPLICATION_UNKNOWN, replicas-kept",
        "REPLICATION_NOT_REDUCED, replicas-kept",
        "RELAUNCH_REPEATED, relaunched-once",
        "ALLOCATION_LEAKED, converges"
    })
    void a_controller_without_a_rarely_needed_check_is_found_within_a_thousand_runs(Mutation plant, String invariant) {
        firstFound(plant, 1, 1000, invariant);
    }

    /** The first run that breaks one of these invariants, or any if none is named: a bug may break others too. */
    private static Outcome firstFound(Mutation plant, int runs, String... invariants) {
        return firstFound(plant, 1, runs, invariants);
    }

    private static Outcome firstFound(Mutation plant, long start, int runs, String... invariants) {
        return firstFound(SimOptions.mixed().with(plant), start, runs, invariants);
    }

    private static Outcome firstFound(SimOptions options, long start, int runs, String... invariants) {
        return LongStream.range(start, start + runs)
                .mapToObj(seed -> Simulation.run(seed, options))
                .filter(o -> !o.passed())
                .filter(o -> invariants.length == 0 || List.of(invariants).contains(o.invariant()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(options.planted() + " was not found in " + runs + " runs from "
                        + start + " by any of " + List.of(invariants)));
    }

    /** The same seed passes without the planted bug. */
    private static void assertPassesWithoutBug(Outcome found) {
        Outcome sound = Simulation.run(found.seed(), SimOptions.mixed());
        assertThat(sound.passed()).as(describe(sound)).isTrue();
    }

    /** Each of these seeds once found a bug in the controller or in the simulator. */
    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            5 | the first datacenter started a newer version while the second still restarted a node for the older one
            36 | a plan that was drafted before the cluster was complete did not take the lock after it
            83 | nodes were restarted at once while another datacenter considered the cluster complete
            183 | a broken node was behind a healthy one in the plan, and each waited for the other
            229 | a placed node that was never launched blocked the other datacenter and its own release
            304 | the same, with servers killed during a partition
            745 | the same, after two partitions with a change on either side
            521 | a cluster deleted here and changed there during a partition stayed without nodes here for ever
            532 | the same, deleted where the newest version was unknown
            484 | a server that had lost the lead unknowingly killed the nodes of a cluster that was declared again
            300065 | a server died before it sent a restart; the next one sent it while another node was down
            90181 | a datacenter made volumes of a cluster that it was to leave, and destroyed them as requested
            533 | the same, changed after everything was deleted here
            724 | the same, with sessions lost
            863 | the same, before the other datacenter knew that the cluster was created
            948 | the same, with servers killed
            184 | a leader was killed when the cluster became complete: the next one restarted two nodes at once
            239 | a leader was killed when the cluster became complete: the next one restarted all three nodes at once
            299 | a session was lost before the other datacenter reported the cluster as complete: two nodes at once
            388 | a leader that was down while the cluster became complete restarted three nodes at once
            409 | a leader that was down while two clusters became complete restarted all nodes of both
            465 | a leader was killed after the last node was NORMAL: the next one restarted the nodes before it at once
            485 | a node seen STARTING was NORMAL again when it was taken down beside another one that drained
            968 | a leader was killed before it stored that the last node joined: the next one restarted two at once
            406 | a plan was retried and the server killed before it advanced the plan: no reason until the next leader
            1110 | a server that had lost the lead reserved again what was released, and another cluster had its port
            1285 | a node that was to leave could not start with a bad spec, and the good spec waited for it
            2353 | the same, broken after the good spec was planned
            6618 | the same, with a partition
            6640 | a late report of a node that had left kept its successor from being watched
            1259 | a replacement waited for a node that left meanwhile, and stayed failed after every retry
            3977 | a broken node recovered before it was fixed out of turn, and another datacenter took one down
            6797 | a node started to leave while the other datacenter, at a newer version, had a joining node
            9592 | the same, with a partition before
            2522 | the store failed when a node had left: it stayed watched, and its successor was never watched
            9321 | a broken node that started once more served when it received its fix, beside a dead one
            9910 | a restart waited for the replacement of a dead node, which waited for the restart
            7491 | the same, and the other datacenter waited for both
            7657 | a replaced node also lost its new volume before its step was over, and could not be replaced
            1797 | the simulator: its pool ignores the target of a launch, and a newer one never arrived
            1924 | the simulator: a cluster declared by a server that died before it answered had old dead nodes
            6572 | the same
            9288 | the same, where the outcome of the commit was unknown
            1574 | a late decision was sent when the other datacenter, silent until then, had just sent its own
            2267 | the simulator: a refused declaration of an existing cluster dropped its dead nodes
            7643 | a node that was being replaced did not count as a replica, and another one left
            9737 | the same
            9755 | the same, by a spec that had been refused until then
            6398 | a node stopped for an evacuation waited for a dead one, whose replacement waited for it
            26 | a new leader carried out a late decision before every node had reported
            213 | a member of a leaving datacenter lost its volume, and could neither leave nor be replaced
            313 | a node started to leave beside one of a leaving datacenter, which the availability check ignored
            883 | the only node of its datacenter started to leave beside one that was down, and was not checked itself
            1563 | replicas stayed in a keyspace because the node that was to remove them was being replaced
            2143 | the only datacenter that was ever complete was removed where its plan could not be drafted
            2433 | after a partition a leaving datacenter acted before the servers exchanged reports
            3653 | a repair was resumed in a datacenter that had left, and waited for a version that it never received
            5913 | the simulator: a cluster declared under the name of a deleted one was taken for that one, leaving
            218 | clients wrote before the first deployment was complete, and a node joined without their rows
            6053 | a late reservation arrived when its node was already dropped, and was never released
            983 | a surplus node of a new datacenter was not rebuilt, and handed over ranges without rows
            773501956 | the simulator: a late report of a killed server brought back a request that a store had lost
            790008570 | a deploy reserved the place of a replacement while the former allocation had its ports
            850004360 | a member of a new cluster moved during a cut and started alone, and then the others moved
            850008273 | a seed of a new cluster was placed after others had joined, and started alone
            900005062 | a server that led during a cut knew no node of the other datacenter, and started a second ring
            900006347 | a node that a bad spec broke was not mended by a good one whose datacenter was to leave
            900006777 | the simulator: nobody named a datacenter again that a spec could not remove yet
            790003987 | the simulator: nobody knew yet that the schema of a node differed that had just started
            910000850 | a broken node served again when it received its fix late, and restarted beside a dead one
            930000007 | a datacenter left the spec of an incomplete cluster, and one of its nodes joined late
            942000372 | a new leader took its own ignorance for silence, and restarted a node while another left
            943000502 | the same beside a node that was down
            946000100 | a ring was declared complete while a node was about to restart
            1047 | a node that was to leave received that late, while it was down beside another one
            950003276 | a leader counted as silent: the last report of the one before it was later
            950005145 | the same, and a plan waited for ever
            950008712 | the same, and a request waited
            960000470 | the simulator: the operator counted nodes where an index was missing
            960001539 | the same, after a cut
            960003758 | the fix of a joined node of an incomplete ring waited for one that waited for it
            970000353 | a pod that returned at another address while no server answered was a seed by its kept answer
            970001611 | two late restarts were held back for the same reason, and were sent at once
            970006772 | two nodes with changes to put back waited for each other's relaunch
            950003511 | a node that could not start was relaunched when it had started, beside a dead one
            950005610 | the same in a datacenter of pods whose machine was away
            2000000145 | the simulator: hints of a dead node that was replaced counted as kept
            5000020078 | a clock stepped back, and the server did not read its store for as long as the step
            5100000142 | a node failed to leave; the nodes before it in the next plan waited for it
            5100003058 | the same, and each datacenter waited for the other
            5100001390 | a bootstrap continued, and lacked what was written since it was interrupted
            715 | a plan was resumed and the server killed before it advanced the plan: no reason until the next leader
            """)
    void seeds_that_found_bugs_pass(long seed, String bug) {
        Outcome outcome = Simulation.run(seed, SimOptions.mixed());
        assertThat(outcome.passed()).as(bug + "\n" + describe(outcome)).isTrue();
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            203 | messages     | the simulator: rows of a deleted cluster counted as missing
            643 | disk,machine | a member in replacement was released when its datacenter left; its endpoint stayed
            253 | cut,daemon-crash,machine | a node that a bad spec broke was not fixed when its datacenter was to leave
            293 | daemon-crash | a node was taken down beside one of a leaving datacenter
            """)
    void seeds_that_found_bugs_with_some_kinds_of_faults_pass(long seed, String scenario, String bug) {
        Outcome outcome = Simulation.run(seed, SimOptions.mixed().with(scenario));
        assertThat(outcome.passed()).as(bug + "\n" + describe(outcome)).isTrue();
    }

    /** Every way out is gone twice, and in the end nothing is left on any machine. */
    @Test
    @Tag("long")
    void second_rounds_of_every_way_out_end_clean() {
        Set<String> again = new ConcurrentSkipListSet<>();
        SimOptions options = new SimOptions("mixed", Mutation.NONE, line -> {
            int at = line.indexOf(ANOTHER_ROUND);
            if (at >= 0) {
                again.add(line.substring(at + ANOTHER_ROUND.length()).split(" ", 2)[0]);
            }
        });
        List<Outcome> failed = LongStream.range(SECOND_ROUNDS, SECOND_ROUNDS + 16)
                .parallel()
                .mapToObj(seed -> Simulation.run(seed, options))
                .filter(o -> !o.passed())
                .toList();
        assertThat(failed.stream().map(SimulationTest::describe)).isEmpty();
        assertThat(again).contains("replace", "move", "grow", "shrink", "leave", "discard");
    }

    @ParameterizedTest
    @CsvSource({
        "REPLACED_VOLUME_FORGOTTEN, destroyed-with-cluster",
        "FORMER_VOLUME_TAKEN, kept-volumes-rest",
        "QUARANTINE_IGNORED, quarantine-over"
    })
    void a_bug_in_second_rounds_is_found_within_a_few_runs(Mutation plant, String invariant) {
        assertPassesWithoutBug(firstFound(plant, SECOND_ROUNDS, 20, invariant));
    }

    /** Some of these histories take seconds, because nothing is as declared for the whole limit. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"FAILED_JOIN_AWAITED, converges", "SILENCE_IS_FAILURE, good-deploy-stays"})
    void an_executor_that_misjudges_a_daemon_is_found_within_a_few_runs(Mutation plant, String invariant) {
        assertPassesWithoutBug(firstFound(plant, SILENT_DAEMONS, 60, invariant));
    }

    @Tag("long")
    @Test
    void bootstraps_that_fail_in_place_and_daemons_that_stand_still_are_survived() {
        List<String> trace = new ArrayList<>();
        for (long seed = SILENT_DAEMONS; seed < SILENT_DAEMONS + 40; seed++) {
            Outcome outcome = Simulation.run(seed, new SimOptions("mixed", Mutation.NONE, trace::add));
            assertThat(outcome.passed()).as(describe(outcome)).isTrue();
        }
        assertThat(List.of("JOINING_FAILED", "stands still", " crashes while ", "is wrong by PT24H"))
                .allMatch(what -> trace.stream().anyMatch(line -> line.contains(what)));
    }

    @Test
    void repairs_that_fail_are_requested_again_without_a_user() {
        List<String> trace = new ArrayList<>();
        for (long seed = 1_000_005; seed < 1_000_605; seed += 10) {
            Outcome outcome = Simulation.run(seed, new SimOptions("mixed", Mutation.NONE, trace::add));
            assertThat(outcome.passed()).as(describe(outcome)).isTrue();
        }
        assertThat(trace).anyMatch(line -> line.contains("its repair fails"));
    }

    @Test
    void work_that_fails_in_the_middle_is_repeated_or_stops_with_a_reason() {
        assertPassWith(BROKEN_WORK, 15, "bootstrap", "probe");
    }

    @Tag("long")
    @Test
    void work_of_any_kind_fails_in_the_middle() {
        assertPassWith(
                BROKEN_WORK, 80, "bootstrap", "cleanup", "compact", "decommission", "probe", "rebuild", "repair");
    }

    @Tag("long")
    @Test
    void rows_that_move_piece_by_piece_are_read_meanwhile() {
        assertPassWith(ROWS_IN_PIECES, 60, "bootstrap", "cleanup", "compact", "probe", "repair");
    }

    private static void assertPassWith(long first, int runs, String... failing) {
        List<String> trace = new ArrayList<>();
        for (long seed = first; seed < first + runs; seed++) {
            Outcome outcome = Simulation.run(seed, new SimOptions("mixed", Mutation.NONE, trace::add));
            assertThat(outcome.passed()).as(describe(outcome)).isTrue();
        }
        assertThat(List.of(failing))
                .allMatch(work -> trace.stream().anyMatch(line -> line.contains("its " + work + " fails")));
    }

    @Test
    void a_controller_that_throws_while_it_plans_is_found() {
        Outcome found = firstFound(Mutation.PLANNING_THROWS, 60, "no-exception");
        assertThat(found.violation()).contains(PlanBuilder.UNPLANNABLE);
        assertPassesWithoutBug(found);
    }

    @Test
    void rows_that_clients_wrote_are_checked() {
        assertThat(LongStream.rangeClosed(41, 50)
                        .map(seed -> Simulation.run(seed, SimOptions.mixed()).rowsChecked())
                        .sum())
                .isPositive();
    }

    /** It takes hundreds of histories. */
    @Tag("long")
    @Test
    void a_node_that_loses_its_volume_while_it_leaves_is_removed_from_the_ring() {
        assertThat(LongStream.rangeClosed(1, 1000).anyMatch(SimulationTest::removesFromRing))
                .as("some run of a thousand removes a dead member from the ring")
                .isTrue();
    }

    private static boolean removesFromRing(long seed) {
        List<String> trace = new ArrayList<>();
        Outcome outcome = Simulation.run(seed, new SimOptions("disk,machine", Mutation.NONE, trace::add));
        assertThat(outcome.passed()).as(describe(outcome)).isTrue();
        return trace.stream().anyMatch(line -> line.contains("removed it from the ring"));
    }

    @Test
    void an_unknown_scenario_names_the_allowed_ones() {
        assertThatThrownBy(() -> Simulation.run(1, SimOptions.mixed().with("flood")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'flood' is unknown, allowed: mixed, calm, [kill, session");
    }
}
