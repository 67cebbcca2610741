package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void compactionsThatKeepUpWriteAtAQuarterOfWhatIsAllowed() {
        assertThat(Pace.share(0, 0)).isEqualTo(0.25);
        assertThat(Pace.share(6, 1)).isEqualTo(0.25);
    }

    @Test
    void theMoreFilesWaitTheFasterTheyWrite() {
        assertThat(Pace.share(9, 0)).isEqualTo(0.625);
        assertThat(Pace.share(12, 0)).isEqualTo(1);
        assertThat(Pace.share(100, 0)).isEqualTo(1);
    }

    @Test
    void allThatIsAllowedGoesIntoWritingBuffersOnceTheyQueue() {
        assertThat(Pace.share(0, 2)).isEqualTo(1);
    }

    @Test
    void withoutALimitThereIsNothingToAdjust() {
        Pace pace = new Pace(0);
        pace.adjust(100, 2);
        assertThat(pace.limiter()).isNull();
    }
}
