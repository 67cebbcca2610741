package io.ringmaster.model.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceNamesTest {
    @Test
    void a_machine_has_a_name_as_a_kubernetes_node_does() {
        for (String name : List.of("machine-1", "M_1", "ip-10-0-0-1.eu-central-1.compute.internal", "a".repeat(253))) {
            assertThat(new MachineName(name)).hasToString(name);
        }
        for (String name : List.of("", "-a", ".", "..", ".a", "a/b", "a b", "ä", "a".repeat(254))) {
            assertThatThrownBy(() -> new MachineName(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("machine name '" + name + "' must match");
        }
    }

    @Test
    void a_rack_has_a_name_as_a_zone_label_has_a_value() {
        for (String name : List.of("r1", "R_1", "eu-central-1a", "zone.1", "a".repeat(63))) {
            assertThat(new RackName(name)).hasToString(name);
        }
        for (String name : List.of("", "_a", ".", "..", "a/b", "a,b", "a=b", "a".repeat(64))) {
            assertThatThrownBy(() -> new RackName(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("rack name '" + name + "' must match");
        }
    }
}
