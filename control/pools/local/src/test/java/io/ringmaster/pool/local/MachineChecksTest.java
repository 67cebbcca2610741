package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.SampleRecords;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineChecksTest {
    private static Machine machine(String name, String address, int cpuMillis, long memory) {
        return new Machine(
                new MachineName(name),
                SampleRecords.R1,
                address,
                cpuMillis,
                memory,
                1L << 30,
                new PortRange(7000, 9999),
                false);
    }

    private static List<String> fields(Machine... machines) {
        return MachineChecks.problems(List.of(machines), Addresses.MACHINE).stream()
                .map(Problem::field)
                .toList();
    }

    @Test
    void machines_on_loopback_are_fine() {
        assertThat(fields(machine("a", "127.1.9.1", 1, 1), machine("b", "127.255.0.9", 1, 1)))
                .isEmpty();
    }

    @Test
    void addresses_that_other_computers_can_reach_are_refused() {
        for (String address : List.of(
                "10.0.0.1", "192.0.2.1", "0.0.0.0", "127.0.0.256", "localhost", "::1", "127.1", "127.1.09.1", "")) {
            assertThat(fields(machine("a", address, 1, 1))).containsExactly("pool.local.machines[0].address");
        }
    }

    @Test
    void names_and_addresses_are_unique_and_sizes_positive() {
        assertThat(fields(machine("a", "127.1.9.1", 1, 1), machine("a", "127.1.9.1", 0, -1)))
                .containsExactly(
                        "pool.local.machines[1].name",
                        "pool.local.machines[1].address",
                        "pool.local.machines[1].cpus",
                        "pool.local.machines[1].memory");
    }

    @Test
    void an_empty_list_of_machines_is_refused() {
        assertThat(fields()).containsExactly("pool.local.machines");
    }

    @Test
    void machines_larger_than_the_computer_are_only_a_warning() {
        Machine huge = machine("a", "127.1.9.1", 100_000_000, 1L << 50);
        assertThat(MachineChecks.problems(List.of(huge), Addresses.MACHINE)).isEmpty();
        assertThat(MachineChecks.warnings(List.of(huge), Path.of("/tmp/not/there")))
                .anyMatch(w -> w.contains("CPUs"))
                .anyMatch(w -> w.contains("memory"));
        assertThat(MachineChecks.warnings(List.of(machine("a", "127.1.9.1", 1, 1)), Path.of("/tmp")))
                .noneMatch(w -> w.contains("CPUs") || w.contains("memory"));
    }
}
