package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.lab.figure.Measured.Point;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    /** One request each of 1, 2, ... milliseconds. */
    private static Latencies upTo(int ms) {
        Histogram histogram = new Histogram(3);
        for (int each = 1; each <= ms; each++) {
            histogram.recordValue(each * 1_000_000L);
        }
        return new Latencies(histogram);
    }

    @Test
    void theHistogramsOfMetronomeGiveTheFiguresThatItPrints() throws Exception {
        Latencies response = RunResult.read(Samples.file("run.json")).response();

        assertThat(response.count()).isEqualTo(400);
        assertThat(response.p(50)).isEqualTo(0.113, within(0.0005));
        assertThat(response.p(95)).isEqualTo(0.848, within(0.0005));
        assertThat(response.p(99)).isEqualTo(3.67, within(0.005));
        assertThat(response.max()).isEqualTo(494, within(0.5));
    }

    @Test
    void aPercentileOfTwoRoundsComesFromTheirSum() {
        Latencies slow = upTo(1000);
        Latencies sum = upTo(10).add(slow);

        assertThat(sum.count()).isEqualTo(1010);
        assertThat(sum.p(50)).isEqualTo(495, within(1.0));
        assertThat(sum.mean()).isEqualTo((55 + 500_500) / 1010.0, within(0.5));
        assertThat(slow.count()).isEqualTo(1000);
    }

    @Test
    void whatIsLongerThanALimitIsCounted() {
        Latencies times = upTo(200);

        assertThat(times.countBeyond(100)).isEqualTo(100);
        assertThat(times.countBeyond(300)).isZero();
        assertThat(times.sumSeconds()).isEqualTo(20.1, within(0.02));
    }

    @Test
    void theCurveEndsWhereNoRequestLiesBeyond() {
        List<Point> curve = upTo(1000).curve();

        assertThat(curve.get(0).x()).isZero();
        assertThat(curve).isSortedAccordingTo((a, b) -> Double.compare(a.x(), b.x()));
        assertThat(curve).isSortedAccordingTo((a, b) -> Double.compare(a.y(), b.y()));
        Point last = curve.get(curve.size() - 1);
        assertThat(last.x()).isBetween(0.99, 0.999);
        assertThat(last.y()).isBetween(990.0, 1000.5);
        assertThat(curve).hasSizeBetween(30, 120);
    }

    @Test
    void withoutARequestThereIsNoPercentile() {
        assertThat(Latencies.none().p(50)).isNaN();
        assertThat(Latencies.none().curve()).isEmpty();
        assertThat(upTo(100).supports(99)).isTrue();
        assertThat(upTo(99).supports(99)).isFalse();
    }

    @Test
    void aTextThatIsNoHistogramIsRefused() {
        assertThatThrownBy(() -> Latencies.decode("bm8gaGlzdG9ncmFtIQ==")).isInstanceOf(IllegalArgumentException.class);
    }
}
