package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.wire.api.NodeState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnsColumnTest {
    private static NodeState node(Map<String, Double> ownership) {
        NodeState n = Fleet.node("dc1", 0, OperatingMode.NORMAL, "serves");
        List<KeyspaceSeen> keyspaces = List.of(
                new KeyspaceSeen("eats", Map.of("dc1", 3), null),
                new KeyspaceSeen("logs", Map.of("dc1", 1, "dc2", 2), null),
                new KeyspaceSeen("simple", Map.of("*", 2), null),
                new KeyspaceSeen("trips", Map.of("dc1", 3), null));
        return Fleet.with(n, ownership, keyspaces);
    }

    @Test
    void keyspaces_with_the_same_number_of_replicas_are_one_figure() {
        NodeState n = node(Map.of("eats", 0.5, "trips", 0.5, "logs", 1 / 6.0));
        assertThat(OwnsColumn.title(List.of(n))).isEqualTo("OWNS RF 1/3");
        assertThat(OwnsColumn.cell(n)).isEqualTo("16.7/50.0 %");
    }

    @Test
    void a_node_without_keyspaces_shows_none() {
        assertThat(OwnsColumn.title(List.of(node(Map.of())))).isEqualTo("OWNS");
        assertThat(OwnsColumn.cell(node(Map.of()))).isEqualTo("-");
    }
}
