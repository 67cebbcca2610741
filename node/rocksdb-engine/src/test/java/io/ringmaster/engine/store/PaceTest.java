package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void compactionsThatKeepUpWriteAtAQuarterOfWhatIsAllowed() {
        assertThat(Pace.share(0, 0)).isEqualTo(0.25);
        assertThat(Pace.share(9, 1)).isEqualTo(0.25);
    }

    @Test
    void theMoreFilesWaitTheFasterTheyWrite() {
        assertThat(Pace.share(12, 0)).isEqualTo(0.625);
        assertThat(Pace.share(15, 0)).isEqualTo(1);
        assertThat(Pace.share(100, 0)).isEqualTo(1);
    }

    @Test
    void allThatIsAllowedGoesIntoWritingBuffersOnceTheyQueue() {
        assertThat(Pace.share(0, 2)).isEqualTo(1);
    }

    @Test
    void hasteGoesSlowlySoThatALoadThatNeedsItIsNotHeldUpAgainAndAgain() {
        InProcess.start();
        Pace pace = new Pace(64 << 20);
        pace.adjust(0, 2);
        pace.adjust(0, 0);
        assertThat(bytesPerSecond(pace)).isBetween(60L << 20, 64L << 20);
        for (int i = 0; i < 100; i++) {
            pace.adjust(0, 0);
        }
        assertThat(bytesPerSecond(pace)).isEqualTo(16 << 20);
    }

    private static long bytesPerSecond(Pace pace) {
        return Objects.requireNonNull(pace.limiter()).getBytesPerSecond();
    }

    @Test
    void withoutALimitThereIsNothingToAdjust() {
        Pace pace = new Pace(0);
        pace.adjust(100, 2);
        assertThat(pace.limiter()).isNull();
    }
}
