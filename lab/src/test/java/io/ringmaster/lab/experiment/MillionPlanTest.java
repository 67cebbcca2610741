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
        assertThat(plan.fits(last, 2_330)).isTrue();
        assertThat(plan.fits(last, 2_340)).isFalse();
        assertThat(plan.fits(plan.groupings().get(0), 5_000)).isTrue();
        assertThat(plan.fitsPair(2_400)).isTrue();
        assertThat(plan.fitsPair(2_410)).isFalse();
    }

    @Test
    void aWarmUpEndsWithItsWindowsAndWhenNoTimeIsLeft() {
        MillionPlan plan = MillionPlan.of(Form.FULL);
        assertThat(plan.warmsOn(35, 2_530)).isTrue();
        assertThat(plan.warmsOn(36, 100)).isFalse();
        assertThat(plan.warmsOn(1, 2_540)).isFalse();
    }
}
