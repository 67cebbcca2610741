package io.ringmaster.simulator.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.simulator.repository.RepositorySimulation.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepositorySimulationTest {
    private static final int RUNS = 2000;
    private static final int RUNS_WITH_BUG = 500;

    private static Workshop workshop;

    @BeforeAll
    static void open() throws IOException {
        workshop = new Workshop();
    }

    @AfterAll
    static void close() throws IOException {
        workshop.close();
    }

    @Test
    void no_history_of_uploads_commits_collections_and_restores_loses_a_backup() throws Exception {
        List<Verdict> verdicts = play(1, RUNS);
        assertThat(verdicts.stream().filter(v -> !v.passed()).map(RepositorySimulationTest::describe))
                .isEmpty();
        assertThat(verdicts.stream().mapToInt(Verdict::backups).sum()).isGreaterThan(RUNS);
        assertThat(verdicts.stream().mapToInt(Verdict::restores).sum()).isGreaterThan(RUNS / 10);
    }

    @ParameterizedTest
    @CsvSource({
        "EPOCH_BEFORE_INTENT, named-objects-stay",
        "BASE_BEFORE_INTENT, named-objects-stay",
        "INTENTS_BEFORE_EPOCH, named-objects-stay",
        "READERS_IGNORED, readers-served",
        "INTENTS_NOT_CHECKED, named-objects-stay",
        "IDS_BY_PREFIX, named-objects-stay"
    })
    void a_planted_bug_is_found(ProtocolBug bug, String invariant) throws InterruptedException {
        long seed = 1;
        Verdict verdict = run(seed, bug);
        while (!invariant.equals(verdict.invariant()) && seed < RUNS_WITH_BUG) {
            verdict = run(++seed, bug);
        }
        assertThat(verdict.invariant()).as(bug + " in " + seed + " runs").isEqualTo(invariant);
        assertThat(run(seed, ProtocolBug.NONE).passed()).isTrue();
    }

    @Test
    void the_same_seed_gives_the_same_trace_and_another_seed_a_different_one() throws InterruptedException {
        Verdict one = run(42, ProtocolBug.NONE);
        assertThat(run(42, ProtocolBug.NONE).lines()).isEqualTo(one.lines());
        assertThat(run(42, ProtocolBug.NONE).digest()).isEqualTo(one.digest());
        assertThat(run(43, ProtocolBug.NONE).digest()).isNotEqualTo(one.digest());
    }

    private static List<Verdict> play(long first, int runs) throws Exception {
        ExecutorService cores = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Verdict>> all = LongStream.range(first, first + runs)
                    .<Callable<Verdict>>mapToObj(seed -> () -> kept(run(seed, ProtocolBug.NONE)))
                    .toList();
            List<Verdict> verdicts = new ArrayList<>();
            for (Future<Verdict> verdict : cores.invokeAll(all)) {
                verdicts.add(verdict.get());
            }
            return verdicts;
        } finally {
            cores.shutdown();
        }
    }

    private static Verdict kept(Verdict verdict) {
        return verdict.passed() ? verdict.withoutLines() : verdict;
    }

    private static Verdict run(long seed, ProtocolBug bug) throws InterruptedException {
        return RepositorySimulation.run(seed, bug, line -> {}, workshop);
    }

    private static String describe(Verdict verdict) {
        return "seed " + verdict.seed() + ": " + verdict.violation() + "\n" + String.join("\n", verdict.lines());
    }
}
