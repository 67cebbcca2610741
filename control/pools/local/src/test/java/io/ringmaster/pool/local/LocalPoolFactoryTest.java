package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPoolFactoryTest {
    private static final Map<String, Object> MACHINE = Map.of(
            "name", "machine-1",
            "rack", "r1",
            "address", "127.1.1.1",
            "cpus", 1.5,
            "memory", "4GiB",
            "disk", "20GiB",
            "ports", "7000-9999");

    private static final DatacenterName DC = new DatacenterName("dc1");

    private final List<String> errors = new ArrayList<>();

    @TempDir
    Path folder;

    private ConfigSection section(Map<String, ?> values) {
        return ConfigSection.root(Map.of("local", values), folder, errors).section("local");
    }

    @Test
    void a_server_finds_it_by_its_name() {
        assertThat(PoolFactory.all()).containsKey("local");
    }

    private static PoolContext context(Path state) {
        return new PoolContext(DC, state, null, new FakeAuthorities(DC), false);
    }

    @Test
    void it_opens_a_pool_below_the_state_directory() {
        ConfigSection section =
                section(Map.of("dist", "d", "cache", "c", "binaries", "b", "machines", List.of(MACHINE)));
        Path state = folder.resolve("state");
        var opener = new LocalPoolFactory().configure(context(state), section);
        assertThat(errors).isEmpty();
        assertThat(state).as("before the pool is opened").doesNotExist();
        try (Pool pool = opener.get()) {
            assertThat(pool).isInstanceOf(LocalPool.class);
            assertThat(state.resolve("allocations")).isDirectory();
        }
    }

    @Test
    void machines_have_sizes_with_units_and_a_range_of_ports() {
        assertThat(LocalPoolFactory.machines(section(Map.of("machines", List.of(MACHINE))), Addresses.MACHINE))
                .containsExactly(new Machine(
                        new MachineName("machine-1"),
                        new RackName("r1"),
                        "127.1.1.1",
                        1_500,
                        4L << 30,
                        20L << 30,
                        new PortRange(7000, 9999),
                        false));
    }

    @Test
    void every_error_names_its_field() {
        new LocalPoolFactory().configure(context(folder), section(Map.of("dist", "d", "nodes", 3)));
        assertThat(errors)
                .containsExactlyInAnyOrder(
                        "local.cache: missing; must be a directory",
                        "local.machines: must list at least one machine",
                        "local.nodes: unknown field; known are accept_directory, addresses, binaries, cache, dist, machines");
    }

    @Test
    void addresses_for_launches_need_a_machine_that_has_a_block_of_them() {
        Map<String, Object> elsewhere = new HashMap<>(MACHINE);
        elsewhere.putAll(Map.of("name", "machine-2", "address", "127.2.1.1"));
        new LocalPoolFactory()
                .configure(
                        context(folder),
                        section(Map.of(
                                "dist", "d",
                                "cache", "c",
                                "addresses", "launch",
                                "accept_directory", "true",
                                "machines", List.of(MACHINE, elsewhere))));
        assertThat(errors).singleElement().asString().startsWith("local.machines[1].address: must be 127.1.N.M with N");
        errors.clear();
        new LocalPoolFactory()
                .configure(
                        context(folder),
                        section(Map.of(
                                "dist", "d",
                                "cache", "c",
                                "addresses", "random",
                                "accept_directory", "yes",
                                "machines", List.of(MACHINE))));
        assertThat(errors)
                .containsExactly(
                        "local.addresses: 'random' must be machine or launch",
                        "local.accept_directory: 'yes' must be true or false");
    }
}
