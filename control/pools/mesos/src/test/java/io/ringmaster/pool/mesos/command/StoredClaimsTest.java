package io.ringmaster.pool.mesos.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.Picture;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoredClaimsTest {
    private static final int NODES = 2000;

    private final FakePoolRecords records = new FakePoolRecords();

    private static Picture picture(int nodes) {
        Map<AllocationId, Picture.Holding> holdings = new TreeMap<>();
        for (int i = 0; i < nodes; i++) {
            Allocation allocation = new Allocation(
                    new AllocationId("rides-dc1-node-" + i),
                    new NodeId(SampleRecords.RIDES, SampleRecords.DC1, i),
                    new MachineName("agent-" + i + ".dc1.example.com"),
                    new NodePorts(7000, 7001, 9042, 9500),
                    SampleRecords.RESOURCES);
            holdings.put(
                    allocation.id(), new Picture.Holding(new Claim(allocation, new RackName("r1"), i), true, true));
        }
        return new Picture(Map.of(), Set.of(), holdings, Map.of(), Map.of());
    }

    @Test
    void the_claims_of_thousands_of_nodes_fit_and_come_back_though_no_agent_is_listed() throws IOException {
        new StoredClaims(records).store(picture(NODES));
        StoredClaims next = new StoredClaims(records);
        next.store(picture(1));
        assertThat(next.all())
                .containsExactlyInAnyOrderElementsOf(picture(NODES).claims().values());
    }

    @Test
    void a_record_that_holds_no_claims_is_named() {
        records.put("mesos.claims.3", "{}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> new StoredClaims(records))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("mesos.claims.3");
    }
}
