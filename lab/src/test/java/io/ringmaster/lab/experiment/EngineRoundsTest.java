package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EnginePlan;
import io.ringmaster.lab.load.EngineResults;
import io.ringmaster.lab.load.EngineStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a recorded run of 400 writes, and a recorded log of a JVM. */
class EngineRoundsTest {
    private static final EngineLoad LOAD = EngineLoad.of(50, 400);
    private static final EnginePlan PLAN =
            new EnginePlan(List.of(EngineStorage.UCS), List.of(LOAD), 4, 1, 1, 1000, 1000, 1, 1, "");

    @TempDir
    private Path folder;

    private static String recorded(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(EngineRoundsTest.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void round(int round, String end, String run, double idleShare) throws IOException {
        String name = "ucs-50%-0-400." + round;
        Files.writeString(folder.resolve(name + end), run);
        int processors = Runtime.getRuntime().availableProcessors();
        Files.writeString(
                folder.resolve(name + ".node"),
                ("{\"cpu_us\": 200000, \"read_bytes\": 1048576, \"written_bytes\": 2097152, \"written_since_start\": %d,"
                                + " \"space_bytes\": 9000000, \"idle_ticks\": %f, \"ticks\": %d}")
                        .formatted(round * 8_400_000, idleShare * processors * 1000, processors * 1000));
        Files.writeString(folder.resolve(name + ".gc.log"), recorded("/io/ringmaster/lab/ring/jdk17-g1.log"));
    }

    private Measured put() throws IOException {
        Figures figures = new Figures();
        new EngineRounds(new EngineResults(folder, PLAN), figures).put(EngineStorage.UCS, folder);
        return figures.measured(new About("ndbench", Form.FULL, "abc", Instant.EPOCH, 1, Map.of(), false));
    }

    private static String invalid() throws IOException {
        return recorded("/load/run.json")
                .replace(
                        "\"valid\":true,\"invalid_reasons\":[]",
                        "\"valid\":false,\"invalid_reasons\":[\"1 s behind\"]");
    }

    @Test
    void figuresAreThoseOfTheValidRounds() throws IOException {
        round(1, ".json", recorded("/load/run.json"), 0.9); // not counted
        round(2, ".json", recorded("/load/run.json"), 0.5);
        round(3, ".invalid", invalid(), 0.5);
        round(4, ".json", recorded("/load/run.json"), 0.5);
        Measured measured = put();
        assertThat(measured.value("ucs.50.rounds")).isEqualTo(2);
        assertThat(measured.value("ucs.50.write.p99")).isPositive();
        assertThat(measured.reason("ucs.50.read.p99")).isEqualTo("no request was measured");
        assertThat(measured.value("ucs.50.cpu")).isCloseTo(500, within(1e-9));
        assertThat(measured.value("ucs.50.written_mib")).isEqualTo(2);
        // the young pauses of ten seconds
        assertThat(measured.value("ucs.50.young")).isCloseTo((0.005538 + 0.014535 + 0.03267) * 10, within(1e-9));
        assertThat(measured.value("ucs.50.stopped")).isCloseTo(0.68438525, within(1e-9));
        // 1000 rows, 400 after that, 4 rounds of 2 s of 200 writes: 3000 rows of 6000 bytes
        assertThat(measured.value("ucs.amplification")).isCloseTo(33.6 / 18, within(1e-9));
        assertThat(measured.value("ucs.space")).isEqualTo(1.5);
        assertThat(measured.logs()).containsExactly("ucs-50.hlog.gz");
        assertThat(folder.resolve("ucs-50.hlog.gz")).exists();
    }

    @Test
    void halfOfTheRoundsIsTooFew() throws IOException {
        round(2, ".json", recorded("/load/run.json"), 0.5);
        round(3, ".invalid", invalid(), 0.5);
        assertThat(put().reason("ucs.50.write.p99")).isEqualTo("invalid: 1 of 3 rounds are valid: 1 s behind");
    }

    @Test
    void aRoundOnAFullMachineDoesNotCount() throws IOException {
        for (int round = 1; round <= 4; round++) {
            round(round, ".json", recorded("/load/run.json"), 0.01);
        }
        assertThat(put().reason("ucs.50.cpu")).isEqualTo("invalid: 0 of 3 rounds are valid: the machine was full");
    }

    @Test
    void aSearchThatFoundNoRateNamesTheLowestThatMissed() throws IOException {
        for (int round = 1; round <= 4; round++) {
            round(round, ".json", recorded("/load/run.json"), 0.5);
        }
        Files.writeString(
                folder.resolve("ucs-sustain.json"),
                recorded("/load/sustain.json")
                        .replace("\"sustainable_rate\":282.842712474619", "\"sustainable_rate\":null"));
        assertThat(put().reason("ucs.sustained")).isEqualTo("no rate kept it; 400/s: p50 174.457 ms of 20 ms");
    }

    @Test
    void withoutResultsThereIsAReason() throws IOException {
        assertThat(put().reason("ucs.50.cpu")).isEqualTo("invalid: 0 of 3 rounds are valid: the others have no result");
    }
}
