package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.Unanswered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each screen at 100 columns, compared with {@code src/test/resources/golden}. */
class ScreensTest {
    private static List<Line> screen(String name, int width) {
        return switch (name) {
            case "cluster-status-healthy" -> ClusterScreen.status(Fleet.healthy(), width);
            case "cluster-status-troubled" -> ClusterScreen.status(Fleet.troubled(), width);
            case "cluster-status-busy" -> ClusterScreen.status(Fleet.busy(), width);
            case "cluster-list" ->
                ClusterScreen.list(
                        new FleetList<>(
                                List.of(new ClusterSummary(
                                        Fleet.RIDES,
                                        Condition.DEGRADED,
                                        2,
                                        "5.0.9",
                                        List.of(new DatacenterName("dc1"), new DatacenterName("dc2")),
                                        6,
                                        5,
                                        List.of())),
                                List.of(new Unanswered(new DatacenterName("dc2"), "connection refused", Fleet.at(0)))),
                        Fleet.at(25),
                        width);
            case "plan-deploying" -> PlanScreen.show(FleetPlans.deploying(), width);
            case "plan-failed" -> PlanScreen.show(FleetPlans.failed(), width);
            case "plan-list" ->
                PlanScreen.list(
                        new FleetList<>(
                                List.of(
                                        FleetPlans.plan("dc1", PlanStatus.COMPLETE, null),
                                        FleetPlans.deploying().plans().get(1)),
                                List.of()),
                        Fleet.at(14),
                        width);
            case "plan-log" -> plainLog();
            case "machine-list" ->
                MachineScreen.list(
                        new FleetList<>(
                                List.of(
                                        FleetMachines.missing(4),
                                        FleetMachines.machine(2, true, null),
                                        FleetMachines.machine(1, false, AllocationState.Status.RUNNING),
                                        FleetMachines.machine(3, false, AllocationState.Status.EXITED)),
                                List.of()),
                        Fleet.at(0),
                        width);
            case "machine-plan" -> SharingScreen.show(FleetMachines.sharing(), Fleet.at(0), width);
            case "node-list" ->
                NodeScreen.list(Fleet.troubled().datacenters().get(0).nodes(), Fleet.at(69), width);
            case "node-show" ->
                NodeScreen.show(Fleet.troubled().datacenters().get(0).nodes().get(2), Fleet.at(69), width);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static List<Line> plainLog() {
        List<Line> lines = new ArrayList<>(PlanLog.changes(null, FleetPlans.deploying()));
        lines.addAll(PlanLog.changes(FleetPlans.deploying(), FleetPlans.deploying()));
        return lines;
    }

    @Test
    void a_step_shows_start_stages_only_if_it_started_its_node() {
        var node = Optional.of(Fleet.node("dc1", 0, OperatingMode.NORMAL, "serving"));
        assertThat(PlanScreen.stages(FleetPlans.step("dc1 node-0", StepState.Status.DONE, 0, 1.0, "NORMAL"), node))
                .contains("joined");
        assertThat(PlanScreen.stages(
                        FleetPlans.step("run-task", "dc1 node-0", StepState.Status.DONE, 0, 1.0, "flushed"), node))
                .isEmpty();
        assertThat(PlanScreen.stages(FleetPlans.live("dc1 node-0"), node)).isEmpty();
    }

    static Stream<Arguments> names() {
        return Stream.of(
                        "cluster-status-healthy",
                        "cluster-status-troubled",
                        "cluster-status-busy",
                        "cluster-list",
                        "plan-deploying",
                        "plan-failed",
                        "plan-list",
                        "plan-log",
                        "machine-list",
                        "machine-plan",
                        "node-list",
                        "node-show")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("names")
    void equals_its_golden_file(String name) {
        Golden.assertSame(name, screen(name, 100));
    }

    @ParameterizedTest
    @MethodSource("names")
    void fits_a_hundred_columns(String name) {
        assertThat(screen(name, 100)).filteredOn(l -> l.width() > 100).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster-status-healthy", "plan-deploying", "machine-list"})
    void has_the_same_text_with_and_without_colour(String name) {
        for (Line line : screen(name, 100)) {
            assertThat(line.coloured().replaceAll("\u001b\\[[0-9;]*m", "").stripTrailing())
                    .isEqualTo(line.plain());
        }
    }

    @Test
    void a_dry_run_shows_every_changed_field_in_a_line_of_its_own() {
        Plan plan = FleetPlans.plan(
                "dc1",
                PlanStatus.RUNNING,
                null,
                new Phase(
                        "reconfigure",
                        Phase.Strategy.SERIAL,
                        List.of(FleetPlans.step(
                                "dc1 node-0",
                                StepState.Status.PENDING,
                                0,
                                null,
                                "restart: cassandra_yaml.compaction_throughput: (none) -> 64MiB/s,"
                                        + " cassandra_yaml.memtable: {a=1, b=2} -> (none), node.heap: 1GiB -> 2GiB"))));
        ChangeAnswer draft = new ChangeAnswer(Fleet.RIDES, 2, true, true, List.of(plan), List.of());
        assertThat(SpecScreen.draft(draft, Fleet.T0, 90).stream().map(Line::plain))
                .contains(
                        "    dc1 node-0  restart: cassandra_yaml.compaction_throughput: (none) -> 64MiB/s",
                        "                cassandra_yaml.memtable: {a=1, b=2} -> (none)",
                        "                node.heap: 1GiB -> 2GiB");
    }
}
