package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class NdBenchTest {
    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Stalls STALLS = stalls(200, 500, 1000, 1400);

    private static Stalls stalls(long... ms) {
        return new Stalls(600, 3, LongStream.of(ms).mapToObj(Duration::ofMillis).toList());
    }

    @Test
    void usersWaitForTheEndOfAStall() {
        assertThat(STALLS.longerThan(LIMIT)).isEqualTo(540, within(1e-6));
        assertThat(STALLS.requestSeconds()).isEqualTo(325, within(1e-6));
    }

    @Test
    void requestsBeyondTheSavedSecondAreNeverMade() {
        NdBench ndBench = new NdBench(STALLS, 24);

        assertThat(ndBench.blockedAfter()).isEqualTo(0.12);
        assertThat(ndBench.lost()).isEqualTo(Math.round(600 * (1.4 - 0.12 - 1)));
        assertThat(ndBench.made(Duration.ofSeconds(60))).isEqualTo(36_000 - 168);
    }

    @Test
    void aShortStallLosesNone() {
        assertThat(new NdBench(stalls(1000), 4).lost()).isZero();
    }

    @Test
    void enoughThreadsWaitForNobody() {
        assertThat(new NdBench(stalls(1400), 256).lost()).isZero();
    }

    @Test
    void theReportLacksTheLostRequestsAndKeepsThoseInFlight() {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(1_000_000, 20_000);
        histogram.recordValueWithCount(2_000_000, 15_976);
        histogram.recordValueWithCount(1_400_000_000, 24);
        Latencies reported = new NdBench(STALLS, 24).reported(new Latencies(histogram), LIMIT);

        assertThat(reported.count()).isEqualTo(36_000 - 168);
        assertThat(reported.countBeyond(100)).isEqualTo(24);
        assertThat(reported.p(50)).isEqualTo(1, within(0.01));
        assertThat(reported.max()).isEqualTo(1400, within(1.0));
    }

    @Test
    void withoutALossTheReportIsTheClients() {
        Latencies service = new Latencies(new Histogram(3));
        service.histogram().recordValueWithCount(1_000_000, 100);

        assertThat(new NdBench(new Stalls(600, 3, List.of()), 4)
                        .reported(service, LIMIT)
                        .count())
                .isEqualTo(100);
    }
}
