package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadLogTest {
    private static final long START = 1_795_704_298_590L;

    @TempDir
    private Path folder;

    private static Latencies one(long ms) {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(ms * 1_000_000);
        return new Latencies(histogram);
    }

    /** 25 seconds with one request each. */
    private static List<LoadLog.Entry> seconds() {
        List<LoadLog.Entry> entries = new ArrayList<>();
        for (int second = 0; second < 25; second++) {
            long start = START + second * 1000L;
            entries.add(new LoadLog.Entry(LoadLog.SERVICE, start, start + 1000, one(1)));
            entries.add(new LoadLog.Entry(LoadLog.RESPONSE, start, start + 1000, one(second + 1)));
        }
        return entries;
    }

    @Test
    void aLogOfTenSecondsHasTheSumsOfItsSeconds() throws Exception {
        Path file = folder.resolve("x/a.hlog.gz");
        LoadLog.write(file, "response\nof a test", seconds(), LoadLog.OVERVIEW);
        List<LoadLog.Entry> read = LoadLog.read(file);

        assertThat(read).hasSize(6);
        assertThat(read.get(0).tag()).isEqualTo(LoadLog.RESPONSE);
        assertThat(read.get(0).startMs()).isEqualTo(START);
        assertThat(read.get(0).endMs()).isEqualTo(START + 10_000);
        assertThat(read.get(0).times().count()).isEqualTo(10);
        assertThat(read.get(4).endMs()).isEqualTo(START + 25_000);
        assertThat(LoadLog.total(read, LoadLog.RESPONSE).histogram())
                .isEqualTo(LoadLog.total(seconds(), LoadLog.RESPONSE).histogram());
        assertThat(LoadLog.total(read, "other").count()).isZero();
    }

    @Test
    void aLogOfAStallKeepsItsSeconds() throws Exception {
        Path file = folder.resolve("a.hlog");
        LoadLog.write(file, "stall", seconds(), LoadLog.DETAIL);

        assertThat(LoadLog.read(file)).hasSize(50);
        assertThat(Files.readString(file)).startsWith("#[stall]\n#[Histogram log format version 1.3]\n");
    }

    @Test
    void theLogOfARunHasItsRequests() throws Exception {
        RunResult run = RunResult.read(Samples.file("run.json"));
        Path file = folder.resolve("run.hlog.gz");
        LoadLog.write(file, "run", run.entries(), Duration.ofSeconds(1));

        assertThat(LoadLog.total(LoadLog.read(file), LoadLog.SERVICE).histogram())
                .isEqualTo(run.service().histogram());
    }

    @Test
    void nothingMeasuredIsALogWithoutIntervals() throws Exception {
        Path file = folder.resolve("none.hlog.gz");
        LoadLog.write(file, "nothing", List.of(), LoadLog.OVERVIEW);

        assertThat(LoadLog.read(file)).isEmpty();
    }

    @Test
    void aFileThatIsNoLogIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("b.hlog"), "Tag=a,1.0,1.0,1.0,nonsense\n");

        assertThatThrownBy(() -> LoadLog.read(file)).hasMessageStartingWith(file + " is not an interval log");
    }
}
