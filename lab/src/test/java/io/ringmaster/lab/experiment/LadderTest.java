package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.lab.experiment.Ladder.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LadderTest {
    /** Climbs with nodes that keep this rate, and says which rates it tried. */
    private static List<Double> climb(Ladder ladder, double capacity) {
        List<Double> tried = new ArrayList<>();
        while (ladder.goesOn()) {
            tried.add(ladder.rate());
            ladder.take(ladder.rate() <= capacity ? Step.KEPT : Step.MISSED);
        }
        return tried;
    }

    @Test
    void climbsInStepsOf15PercentAndHoldsTheRateBeforeTheMiss() {
        Ladder ladder = new Ladder(100, 10);
        List<Double> tried = climb(ladder, 140);
        for (int i = 1; i < tried.size(); i++) {
            assertThat(tried.get(i) / tried.get(i - 1)).isCloseTo(1.15, within(1e-9));
        }
        assertThat(tried.get(0)).isLessThanOrEqualTo(100).isGreaterThan(100 / 1.15);
        assertThat(ladder.held()).isEqualTo(tried.get(tried.size() - 2)).isLessThanOrEqualTo(140);
        assertThat(ladder.held() * 1.15).isGreaterThan(140);
        assertThat(ladder.isClosed()).isTrue();
    }

    @Test
    void goesDownWhereTheFirstStepMisses() {
        Ladder ladder = new Ladder(200, 10);
        climb(ladder, 140);
        Ladder up = new Ladder(100, 10);
        climb(up, 140);
        assertThat(ladder.held()).isCloseTo(up.held(), within(1e-9));
        assertThat(ladder.isClosed()).isTrue();
    }

    @Test
    void startsAtTheRateThatAnotherLadderHeld() {
        Ladder first = new Ladder(100, 10);
        climb(first, 140);
        Ladder second = new Ladder(first.held(), 10);
        assertThat(second.rate()).isEqualTo(first.held());
        assertThat(climb(second, 140)).hasSize(2);
    }

    @Test
    void withoutAMissTheHeldRateIsALowerBound() {
        Ladder ladder = new Ladder(100, 3);
        assertThat(climb(ladder, 1_000)).hasSize(3);
        assertThat(ladder.held()).isPositive();
        assertThat(ladder.isClosed()).isFalse();
    }

    @Test
    void aStepThatDoesNotCountEndsIt() {
        Ladder ladder = new Ladder(100, 5);
        double first = ladder.rate();
        ladder.take(Step.KEPT);
        ladder.take(Step.UNKNOWN);
        assertThat(ladder.goesOn()).isFalse();
        assertThat(ladder.held()).isEqualTo(first);
        assertThat(ladder.isClosed()).isFalse();
    }

    @Test
    void holdsNothingWhereEveryStepMisses() {
        Ladder ladder = new Ladder(11, 10);
        assertThat(climb(ladder, 1)).hasSize(1);
        assertThat(ladder.held()).isNaN();
    }
}
