package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunOutcome.ValidRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetronomeTest {
    private static final Load WRITES = Load.of(Hosts.of(List.of("127.0.0.1", "127.0.0.2")), "writes");
    private static final Arrivals SECOND = Arrivals.rate(600, Duration.ofSeconds(1));

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private Bench bench;

    @BeforeEach
    void open() {
        bench = Samples.bench(folder, said);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** A program that keeps its arguments in the file arguments, then does this. */
    private Metronome metronome(String script) throws Exception {
        Path program = folder.resolve("metronome");
        Files.writeString(
                program,
                "#!/bin/sh\necho \"$@\" >> arguments\nfor last; do :; done\necho '    1s   600' >&2\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return Metronome.of(bench, program);
    }

    private String arguments() throws IOException {
        return Files.readString(folder.resolve("load/arguments")).strip();
    }

    private static String copy(String sample) {
        return "cp " + Samples.file(sample) + " $last";
    }

    private static String invalid() {
        return "sed 's/\"valid\":true,\"invalid_reasons\":\\[\\]/\"valid\":false,\"invalid_reasons\":[\"behind\"]/' "
                + Samples.file("run.json") + " > $last; exit 3";
    }

    @Test
    void aRunGivesTheFiguresOfItsResult() throws Exception {
        Load load = WRITES.consistency(Consistency.QUORUM)
                .replication(KeyspaceReplication.of(Map.of("dc1", 3)))
                .sendAgain();
        Arrivals schedule = SECOND.warmup(Duration.ofMillis(1500)).startAt(Instant.parse("2026-11-26T12:00:00Z"));
        RunOutcome outcome = metronome(copy("run.json")).run("a", load, schedule);

        assertThat(arguments())
                .isEqualTo("run writes --consistency QUORUM --replication dc1:3 --send-again"
                        + " --hosts 127.0.0.1,127.0.0.2 --rate 600 --duration 1000ms --warmup 1500ms"
                        + " --start-at 2026-11-26T12:00:00Z --output " + folder.resolve("load/a.json"));
        assertThat(outcome).isInstanceOf(ValidRun.class);
        RunResult result = outcome.result();
        assertThat(result.requests()).isEqualTo(new RunResult.Requests(400, 400, 400, 0));
        assertThat(result.service().count()).isEqualTo(400);
        assertThat(result.generator().cpuS()).isEqualTo(0.09);
        assertThat(result.generator().hiccups()).isNotNull();
        assertThat(result.statements()).singleElement().satisfies(s -> assertThat(s.isWrite())
                .isTrue());
        assertThat(Latencies.sum(result.intervals().stream()
                                .map(RunResult.Interval::response)
                                .toList())
                        .histogram())
                .isEqualTo(result.response().histogram());
    }

    @Test
    void anInvalidRunIsRepeatedTwiceWithWhatHappensBesideIt() throws Exception {
        AtomicInteger stalls = new AtomicInteger();
        RunOutcome outcome = metronome("sleep 0.2; " + invalid()).run("a", WRITES, SECOND, stalls::incrementAndGet);

        assertThat(outcome).isInstanceOf(InvalidRun.class);
        assertThat(((InvalidRun) outcome).reason()).isEqualTo("behind");
        assertThat(outcome.valid()).isEmpty();
        assertThat(stalls).hasValue(3);
        assertThat(arguments().lines()).hasSize(3);
        assertThat(said)
                .filteredOn(line -> line.equals("a is invalid: behind; repeating it"))
                .hasSize(2);
    }

    @Test
    void aRunThatIsValidAtTheSecondAttemptIsTheResult() throws Exception {
        String second = "if [ -e first ]; then " + copy("run.json") + "; exit 0; fi; touch first; " + invalid();
        RunOutcome outcome = metronome(second).run("a", WRITES, SECOND);

        assertThat(outcome.valid()).isPresent();
        assertThat(outcome.file()).hasFileName("a-2.json");
    }

    @Test
    void aRunThatMeasuredNothingFailsWithItsReason() throws Exception {
        Metronome metronome =
                metronome("printf 'metronome: no host answers\\n\\tat a frame\\n\\t... 6 more\\n\\n' >&2; exit 1");

        assertThatThrownBy(() -> metronome.run("a", WRITES, SECOND))
                .isInstanceOf(IOException.class)
                .hasMessage("a failed with exit code 1: metronome: no host answers (%s)", folder.resolve("load/a.err"));
    }

    @Test
    void aResultThatIsNoneIsNamed() throws Exception {
        Metronome metronome = metronome("echo '{}' > $last");

        assertThatThrownBy(() -> metronome.run("a", WRITES, SECOND))
                .hasMessageContaining(folder.resolve("load/a.json") + " is not a result of metronome run");
    }

    @Test
    void theEndOfTheBenchEndsALoad() throws Exception {
        metronome("echo $$ > pid; exec sleep 60").start("a", WRITES, SECOND).awaitFirstSecond();
        Path pid = folder.resolve("load/pid");
        while (!Files.exists(pid) || Files.readString(pid).isBlank()) {
            Thread.sleep(5);
        }
        ProcessHandle load =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        bench.close();

        assertThat(load.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsALoad() throws Exception {
        Metronome.Running running = metronome("exec sleep 60").start("a", WRITES, SECOND);
        running.awaitFirstSecond();
        Thread.currentThread().interrupt();

        assertThatThrownBy(running::end).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aSearchGivesItsRateAndSteps() throws Exception {
        SustainResult result = SustainResult.read(Samples.file("sustain.json"));

        assertThat(result.sustainableRate()).isBetween(282.0, 284.0);
        assertThat(result.spread()).hasSize(2);
        assertThat(result.steps())
                .extracting(SustainResult.Step::verdict)
                .containsExactly(
                        SustainResult.Conclusion.KEPT,
                        SustainResult.Conclusion.MISSED,
                        SustainResult.Conclusion.KEPT,
                        SustainResult.Conclusion.KEPT,
                        SustainResult.Conclusion.MISSED);
        RunResult first = result.steps().get(0).run();
        assertThat(first.response().p(50)).isBetween(2.43, 2.44);
        assertThat(first.generator().peakMemoryBytes()).isPositive();
        assertThat(result.entries()).hasSizeGreaterThanOrEqualTo(10);
        assertThat(first.entries("-1400")).extracting(LoadLog.Entry::tag).containsOnly("response-1400", "service-1400");
    }

    @Test
    void verifyCountsWhatItFound() throws Exception {
        Metronome metronome = metronome("cat " + Samples.file("verify.out") + "; exit 4");
        VerifyResult result = metronome.verify("v", Path.of("a.json"), WRITES.hosts(), Consistency.ALL);

        assertThat(arguments()).isEqualTo("verify a.json --read-consistency ALL --hosts 127.0.0.1,127.0.0.2");
        assertThat(result).isEqualTo(new VerifyResult(100, 100, Map.of("LOST", 100L), false));
    }

    @Test
    void aVerifyThatCouldNotReadEveryRowIsNoResult() throws Exception {
        Metronome metronome = metronome(
                "cat " + Samples.file("verify.out") + "; echo; echo 'only 100 of 900 rows are read: why'; exit 4");

        assertThatThrownBy(() -> metronome.verify("v", Path.of("a.json"), WRITES.hosts(), Consistency.ALL))
                .hasMessage("v: only 100 of 900 rows are read: why");
    }

    @Test
    void compareGivesForEachPercentileTheIntervalOrTheReason() throws Exception {
        Comparison comparison = metronome(
                        """
                echo '{"rows":[{"time":"service","percentile":99.0,"before_ms":0.5,"after_ms":1.0,"ratio":2.0,
                "verdict":"slower","low":1.5,"high":2.5},{"time":"response","percentile":99.9,"before_ms":0.0,
                "after_ms":1.0,"ratio":null,"verdict":"too_little","reason":"few"}],"notes":["one"]}'""")
                .compare("c", List.of(Path.of("a.json")), List.of(Path.of("b1.json"), Path.of("b2.json")));

        assertThat(arguments()).isEqualTo("compare a.json b1.json,b2.json --output json");
        assertThat(comparison.notes()).containsExactly("one");
        assertThat(comparison.row(Comparison.Time.SERVICE, 99)).hasValueSatisfying(row -> {
            assertThat(row.verdict()).isEqualTo(Comparison.Conclusion.SLOWER);
            assertThat(row.low()).isEqualTo(1.5);
            assertThat(row.high()).isEqualTo(2.5);
        });
        assertThat(comparison.row(Comparison.Time.RESPONSE, 99.9)).hasValueSatisfying(row -> {
            assertThat(row.ratio()).isNull();
            assertThat(row.reason()).isEqualTo("few");
        });
    }
}
