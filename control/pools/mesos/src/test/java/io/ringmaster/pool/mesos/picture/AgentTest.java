package io.ringmaster.pool.mesos.picture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.RackName;
import org.junit.jupiter.api.Test;

class AgentTest {
    private static Agent agent(String more) {
        String json =
                """
                {'agent_info': {'hostname': 'm1', 'id': {'value': 'S1'},
                   'attributes': [{'name': 'rack', 'type': 'TEXT', 'text': {'value': 'r7'}}],
                   'domain': {'fault_domain': {'region': {'name': 'eu'}, 'zone': {'name': 'eu-1'}}}},
                 'pid': 'slave(1)@127.0.0.11:5051', 'active': true, 'deactivated': false,
                 'total_resources': [
                   {'name': 'cpus', 'type': 'SCALAR', 'scalar': {'value': 3.5}, 'role': '*'},
                   {'name': 'cpus', 'type': 'SCALAR', 'scalar': {'value': 1}, 'role': 'ringmaster',
                     'reservations': [{'type': 'DYNAMIC', 'role': 'ringmaster', CLAIMED}]},
                   {'name': 'cpus', 'type': 'SCALAR', 'scalar': {'value': 16}, 'role': 'ringmaster',
                     'reservations': [{'type': 'STATIC', 'role': 'ringmaster'}]},
                   {'name': 'cpus', 'type': 'SCALAR', 'scalar': {'value': 8}, 'role': 'other',
                     'reservations': [{'type': 'STATIC', 'role': 'other'}]},
                   {'name': 'mem', 'type': 'SCALAR', 'scalar': {'value': 1024}, 'role': '*'},
                   {'name': 'disk', 'type': 'SCALAR', 'scalar': {'value': 2048}, 'role': '*'},
                   {'name': 'ports', 'type': 'RANGES', 'role': '*',
                     'ranges': {'range': [{'begin': 31000, 'end': 31099}, {'begin': 7000, 'end': 7999}]}},
                   {'name': 'ports', 'type': 'RANGES', 'ranges': {'range': [{'begin': 8000, 'end': 8001}]},
                     'reservations': [{'type': 'DYNAMIC', 'role': 'ringmaster', CLAIMED}]},
                   {'name': 'ports', 'type': 'RANGES', 'ranges': {'range': [{'begin': 8002, 'end': 8999}]},
                     'reservations': [{'type': 'STATIC', 'role': 'other'}]}]
                MORE}
                """
                        .replace("MORE", more)
                        .replace("CLAIMED", "'labels': {'labels': [{'key': 'allocation', 'value': 'a'}]}")
                        .replace('\'', '"');
        return Agent.of(Json.parse(json, JsonNode.class), "ringmaster", "rack").orElseThrow();
    }

    @Test
    void what_operators_have_reserved_or_other_roles_use_is_no_capacity() {
        Machine machine = agent("").machine();
        assertThat(machine.cpuMillis()).isEqualTo(4500);
        assertThat(machine.memoryBytes()).isEqualTo(1L << 30);
        assertThat(machine.diskBytes()).isEqualTo(2L << 30);
        String used =
                """
                , 'allocated_resources': [
                  {'name': 'mem', 'type': 'SCALAR', 'scalar': {'value': 24}, 'allocation_info': {'role': 'other'}},
                  {'name': 'mem', 'type': 'SCALAR', 'scalar': {'value': 100}, 'allocation_info': {'role': 'ringmaster'}}]
                """;
        assertThat(agent(used).machine().memoryBytes()).isEqualTo(1000L << 20);
    }

    @Test
    void the_ports_are_the_longest_range_claimed_or_not_that_others_do_not_use() {
        assertThat(agent("").machine().ports()).isEqualTo(new PortRange(7000, 8001));
        String used =
                """
                , 'allocated_resources': [
                  {'name': 'ports', 'type': 'RANGES', 'ranges': {'range': [{'begin': 7400, 'end': 7401}]},
                    'allocation_info': {'role': 'other'}},
                  {'name': 'ports', 'type': 'RANGES', 'ranges': {'range': [{'begin': 7700, 'end': 7700}]},
                    'allocation_info': {'role': 'ringmaster'}}]
                """;
        assertThat(agent(used).machine().ports()).isEqualTo(new PortRange(7402, 8001));
    }

    @Test
    void address_and_rack_are_those_of_the_agent() {
        Machine machine = agent("").machine();
        assertThat(machine.address()).isEqualTo("127.0.0.11");
        assertThat(machine.rack()).isEqualTo(new RackName("r7"));
        assertThat(machine.cordoned()).isFalse();
    }

    @Test
    void an_agent_that_is_being_drained_is_cordoned() {
        assertThat(agent(", 'drain_info': {'state': 'DRAINING'}").machine().cordoned())
                .isTrue();
    }
}
