package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.figure.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

class MillionPlanTest {
    @Test
    void everyRowOfThePageIsMeasuredOnceInTheFullForm() {
        List<String> keys = MillionPlan.of(Form.FULL).groupings().stream()
                .flatMap(grouping -> grouping.factors().stream().map(grouping::key))
                .toList();
        assertThat(keys)
                .containsExactlyInAnyOrderElementsOf(MillionRows.ALL.stream()
                        .map(MillionRows.MillionSize::key)
                        .toList());
    }

    @Test
    void thereAreAlwaysSixNodes() {
        assertThatThrownBy(() -> new Grouping(List.of(3), 3, List.of(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not six nodes with a ring of 3: [3]");
    }

    @Test
    void theLastGroupingIsLeftOutForLackOfTime() {
        MillionPlan plan = MillionPlan.of(Form.FULL);
        Grouping last = plan.groupings().get(4);
        assertThat(plan.fits(last, 2_310)).isTrue();
        assertThat(plan.fits(last, 2_320)).isFalse();
        assertThat(plan.fits(plan.groupings().get(0), 5_000)).isTrue();
    }
}
