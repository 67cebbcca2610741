package io.ringmaster.wire.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterSummaryTest {
    private static final Finding LATE = finding(Finding.Severity.WARNING, "repair is late");
    private static final Finding FAILED = finding(Finding.Severity.ERROR, "plan dc2-7 failed");

    private static Finding finding(Finding.Severity severity, String message) {
        return new Finding(severity, "rides", message, null, null);
    }

    private static ClusterSummary summary(int errors, int warnings, @Nullable Finding worst) {
        return new ClusterSummary(
                new ClusterName("rides"),
                Condition.HEALTHY,
                1,
                "5.0.9",
                List.of(),
                3,
                3,
                List.of(),
                errors,
                warnings,
                worst);
    }

    @Test
    void an_error_that_only_another_datacenter_sees_is_the_worst() {
        var here = summary(0, 2, LATE);
        assertThat(here.withFindingsOf(summary(1, 0, FAILED))).isEqualTo(summary(1, 2, FAILED));
        assertThat(summary(1, 0, FAILED).withFindingsOf(here)).isEqualTo(summary(1, 2, FAILED));
    }

    @Test
    void a_finding_that_both_see_counts_once() {
        var both = summary(0, 1, LATE);
        assertThat(both.withFindingsOf(both)).isEqualTo(both);
        assertThat(both.withFindingsOf(summary(0, 0, null))).isEqualTo(both);
        assertThat(summary(0, 0, null).withFindingsOf(both)).isEqualTo(both);
    }
}
