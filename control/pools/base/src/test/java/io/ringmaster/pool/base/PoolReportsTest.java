package io.ringmaster.pool.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolReportsTest {
    private static final Machine M1 = machine("m1");
    private static final Machine M2 = machine("m2");

    private final PoolReports reports = new PoolReports(PoolCapabilities.OF_MACHINES);
    private final List<Fact> facts = new ArrayList<>();

    private static Machine machine(String name) {
        return new Machine(new MachineName(name), new RackName("r1"), null, 1000, 1, 1, null, false);
    }

    private static Fact.PoolSeen seen(long revision, Machine... machines) {
        return new Fact.PoolSeen(List.of(machines), List.of(), PoolCapabilities.OF_MACHINES, revision);
    }

    @Test
    void nothing_is_reported_before_the_opening_and_after_the_end() {
        reports.machineChanged(M2);
        reports.machineChanged(M1);
        reports.open(facts::add);
        reports.close();
        reports.machineChanged(M1.cordon());
        reports.machineGone(M1.name());
        reports.all();
        assertThat(facts).containsExactly(seen(2, M2, M1));
    }

    @Test
    void a_machine_is_reported_when_it_is_new_or_changed() {
        reports.open(facts::add);
        reports.machineChanged(M1);
        reports.machineChanged(machine("m1"));
        reports.machineChanged(M1.cordon());
        reports.all();
        assertThat(facts)
                .containsExactly(
                        seen(0),
                        new Fact.MachineChanged(M1, 1),
                        new Fact.MachineChanged(M1.cordon(), 2),
                        seen(2, M1.cordon()));
        assertThat(reports.machine(M1.name())).contains(M1.cordon());
    }

    @Test
    void a_warning_is_part_of_each_report_of_everything_until_it_is_lifted() {
        Map<ClusterName, Problem> warnings =
                Map.of(new ClusterName("rides"), Problem.of(ErrorCode.POOL_UNAVAILABLE, "its budget is not kept"));
        reports.open(facts::add);
        reports.warn(warnings);
        reports.all();
        reports.warn(Map.of());
        reports.all();
        assertThat(facts)
                .containsExactly(
                        seen(0),
                        new Fact.PoolSeen(List.of(), List.of(), PoolCapabilities.OF_MACHINES, 0, warnings),
                        seen(0));
    }

    @Test
    void a_machine_that_vanished_is_missing_in_a_report_of_everything() {
        reports.machineChanged(M1);
        reports.machineChanged(M2);
        reports.open(facts::add);
        facts.clear();
        reports.machineGone(M1.name());
        reports.machineGone(M1.name());
        reports.machineChanged(M1);
        assertThat(facts).containsExactly(seen(3, M2), new Fact.MachineChanged(M1, 4));
        assertThat(reports.machines()).containsExactly(M2, M1);
    }
}
