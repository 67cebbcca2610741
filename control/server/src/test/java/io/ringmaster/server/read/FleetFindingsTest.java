package io.ringmaster.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetFindingsTest {
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final Problem SILENT = Problem.of(
            ErrorCode.PEER_UNREACHABLE,
            "the server of dc2 does not answer: http://127.0.0.1:8081: connection refused",
            "its nodes keep serving; start the server or fix the network");

    private static List<Finding> findings(LocalClusterStatus.Finding... local) {
        var here = new LocalClusterStatus(
                new ClusterName("rides"), 1, true, false, true, List.of(), List.of(), List.of(local));
        var part = new ClusterStatus.Part(DC2, 1, 1, "no answer in time", null, List.of());
        return FleetFindings.of(here, List.of(part), List.of());
    }

    @Test
    void a_silent_server_is_one_finding_whatever_the_reason_that_each_attempt_met() {
        assertThat(findings(new LocalClusterStatus.Finding("dc2", SILENT, null)))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.subject()).isEqualTo("dc2");
                    assertThat(f.message()).isEqualTo(SILENT.message());
                });
    }

    @Test
    void a_disk_that_fills_is_a_warning_and_one_that_is_nearly_full_an_error() {
        for (ErrorCode code : List.of(ErrorCode.DISK_FILLING, ErrorCode.DISK_NEARLY_FULL)) {
            Problem full = Problem.of(code, "its volume is full", "add nodes");
            assertThat(findings(new LocalClusterStatus.Finding("dc1/node-0", full, null)))
                    .filteredOn(f -> f.subject().equals("dc1/node-0"))
                    .extracting(Finding::severity)
                    .containsExactly(
                            code == ErrorCode.DISK_FILLING ? Finding.Severity.WARNING : Finding.Severity.ERROR);
        }
    }

    @Test
    void a_server_that_does_not_answer_this_command_is_a_finding() {
        assertThat(findings())
                .singleElement()
                .extracting(Finding::message)
                .isEqualTo("the server of dc2 does not answer: no answer in time");
    }
}
