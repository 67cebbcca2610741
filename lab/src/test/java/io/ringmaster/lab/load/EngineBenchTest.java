package io.ringmaster.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.lab.bench.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark's script is another one here. */
class EngineBenchTest {
    private static final EngineLoad LOAD = EngineLoad.of(50, 300);
    private static final EnginePlan PLAN = new EnginePlan(
            List.of(EngineStorage.ROCKSDB, EngineStorage.UCS), List.of(LOAD), 3, 1, 1, 100, 100, 1, 1, "");

    @TempDir
    private Path root;

    private final List<String> said = new ArrayList<>();
    private Bench bench;

    @BeforeEach
    void open() {
        bench = new Bench(root, root.resolve("work"), root.resolve("results"), said::add);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private EngineBench benchmark(String script) throws IOException {
        Path program = Files.createDirectories(root.resolve("bench/engine")).resolve("with-disk");
        Files.writeString(program, "#!/bin/bash\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return new EngineBench(bench, Path.of("/bin/metronome"));
    }

    private static String result(String name) {
        String node = "{\"cpu_us\": 150000, \"read_bytes\": 0, \"written_bytes\": 1, \"written_since_start\": 2,"
                + " \"space_bytes\": 3, \"idle_ticks\": 50, \"ticks\": 200}";
        return "cp " + Samples.file("run.json") + " \"$RESULTS/" + name + ".json\"; echo '" + node + "' >\"$RESULTS/"
                + name + ".node\"; echo >\"$RESULTS/" + name + ".gc.log\"\n";
    }

    @Test
    void the_results_are_found_by_storage_load_and_round() throws Exception {
        EngineResults results = benchmark(
                        "echo starting rocksdb; echo \"$METRONOME $1 $2 $3 $4 $5\"; sleep 1.5; echo medians:; echo no\n"
                                + result("rocksdb-50%-0-300.1") + result("rocksdb-50%-0-300.2")
                                + result("rocksdb-50%-0-300.3"))
                .run(PLAN);
        assertThat(said)
                .startsWith("starting rocksdb", "/bin/metronome " + root.resolve("bench/engine/run") + " 300 1 100 3")
                .doesNotContain("no");
        assertThat(results.rounds(EngineStorage.UCS, LOAD)).isEmpty();
        assertThat(results.sustained(EngineStorage.ROCKSDB)).isEmpty();
        List<EngineRound> rounds = results.rounds(EngineStorage.ROCKSDB, LOAD);
        assertThat(rounds).as("the first is not counted").hasSize(2);
        assertThat(rounds.get(1).run().result().requests().succeeded()).isEqualTo(400);
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(rounds.get(1).use().idleCores()).isEqualTo(processors / 4.0);
        assertThat(rounds.get(1).use().seconds()).isEqualTo(2.0 / processors);
    }

    @Test
    void a_failure_has_the_reason_of_the_benchmark() throws Exception {
        EngineBench benchmark = benchmark("echo 'bench/engine: no engine' >&2; exit 1");
        assertThatThrownBy(() -> benchmark.run(PLAN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no engine");
    }

    @Test
    void the_benchmark_gets_the_time_to_remove_its_disk() throws Exception {
        Path started = root.resolve("started");
        Path removed = root.resolve("removed");
        EngineBench benchmark = benchmark("trap 'kill $!; sleep 4; touch " + removed + "; exit 143' TERM; touch "
                + started + "; sleep 60 & wait");
        Thread signal = new Thread(() -> {
            while (!Files.exists(started)) {
                Thread.onSpinWait();
            }
            bench.close();
        });
        signal.start();
        assertThatThrownBy(() -> benchmark.run(PLAN))
                .as("also when the run is over before the benchmark belongs to it")
                .isInstanceOfAny(IOException.class, IllegalStateException.class);
        signal.join();
        assertThat(removed).exists();
    }
}
