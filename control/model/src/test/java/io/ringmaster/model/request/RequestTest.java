package io.ringmaster.model.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final DatacenterName DC2 = new DatacenterName("dc2");

    private static Request of(@Nullable List<DatacenterName> datacenters) {
        return new Request(
                new RequestId(DC1, 1),
                new ClusterName("rides"),
                null,
                "restart",
                LockScope.RING,
                Map.of(),
                "alice",
                "",
                Instant.EPOCH,
                datacenters);
    }

    @Test
    void it_concerns_the_datacenters_of_its_time() {
        assertThat(of(List.of(DC1)).concerns(DC1)).isTrue();
        assertThat(of(List.of(DC1)).concerns(DC2)).isFalse();
    }

    @Test
    void one_of_an_older_server_concerns_nobody_who_does_not_hold_it_already() {
        assertThat(of(null).concerns(DC2)).isFalse();
    }
}
