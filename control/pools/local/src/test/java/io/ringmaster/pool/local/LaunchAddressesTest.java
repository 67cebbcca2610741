package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.MachineName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LaunchAddressesTest {
    private static final MachineName MACHINE = new MachineName("machine-1");

    private final LaunchAddresses addresses =
            new LaunchAddresses(Addresses.LAUNCH, List.of(LocalPoolTest.machine(1), LocalPoolTest.machine(2)));

    @Test
    void an_address_comes_again_only_after_all_others_of_its_machine() {
        Set<String> given = new HashSet<>();
        for (int i = 0; i < 254; i++) {
            given.add(addresses.next(MACHINE, Set.of()));
        }
        assertThat(given).hasSize(254).contains("127.73.1.1", "127.73.1.254");
        assertThat(addresses.next(MACHINE, Set.of("127.73.1.1"))).isEqualTo("127.73.1.2");
        assertThat(addresses.next(new MachineName("machine-2"), Set.of())).isEqualTo("127.73.2.1");
        assertThatThrownBy(() -> addresses.next(MACHINE, given)).hasMessageContaining("machine-1 are taken");
    }

    @Test
    void only_addresses_that_cannot_collide_are_mapped() {
        for (String good : List.of("127.1.0.1", "127.1.127.254", "127.1.3.255")) {
            assertThat(LaunchAddresses.unmapped(good)).as(good).isEmpty();
        }
        for (String bad :
                List.of("127.1.128.1", "127.2.1.1", "10.1.1.1", "127.0.0.1", "127.1.1.256", "127.1.01.1", "")) {
            assertThat(LaunchAddresses.unmapped(bad)).as(bad).isPresent();
        }
    }

    @Test
    void with_addresses_of_machines_every_launch_has_the_same() {
        var fixed = new LaunchAddresses(Addresses.MACHINE, List.of(LocalPoolTest.machine(1)));
        assertThat(fixed.next(MACHINE, Set.of("127.1.9.1"))).isEqualTo("127.1.9.1");
        assertThat(fixed.beforeLaunch(MACHINE)).isEqualTo("127.1.9.1");
        assertThat(addresses.beforeLaunch(MACHINE)).isNull();
    }
}
