package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClosedCqlTest {
    @AfterEach
    void clear() {
        System.clearProperty(ClosedCql.START_PROPERTY);
    }

    private static Map<String, Object> node(ClosedCql cql) {
        return new NodeView(Thread.currentThread(), cql).read();
    }

    @Test
    void a_node_that_was_started_open_does_not_await_clients() {
        assertThat(node(new ClosedCql())).containsEntry("awaitsClients", false);
    }

    @Test
    void a_node_that_was_started_closed_awaits_clients_until_it_is_opened() {
        System.setProperty(ClosedCql.START_PROPERTY, "false");
        ClosedCql cql = new ClosedCql();
        assertThat(node(cql)).containsEntry("awaitsClients", true);
        assertThatThrownBy(() -> cql.open(() -> {
                    throw new IllegalStateException("no port");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(node(cql)).containsEntry("awaitsClients", true);
        cql.open(() -> {});
        assertThat(node(cql)).containsEntry("awaitsClients", false);
    }

    @Test
    void whether_a_node_joined_is_unknown_before_gossip_starts() {
        assertThat(node(new ClosedCql())).doesNotContainKey("bootstrapped");
    }
}
