package io.ringmaster.simulator.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.simulator.repository.RepositorySimulation.Judgement;
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
    private static final int RUNS = 600;
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
        List<Judgement> judgements = play(1, RUNS);
        assertThat(judgements.stream().filter(v -> !v.passed()).map(RepositorySimulationTest::describe))
                .isEmpty();
        assertThat(judgements.stream().mapToInt(Judgement::backups).sum()).isGreaterThan(RUNS);
        assertThat(judgements.stream().mapToInt(Judgement::restores).sum()).isGreaterThan(RUNS / 10);
    }

    @ParameterizedTest
    @CsvSource({
        "EPOCH_BEFORE_INTENT, named-objects-stay",
        "INTENTS_BEFORE_EPOCH, named-objects-stay",
        "READERS_IGNORED, readers-served",
        "INTENTS_NOT_CHECKED, named-objects-stay",
        "IDS_BY_PREFIX, named-objects-stay"
    })
    void a_planted_bug_is_found(ProtocolBug bug, String invariant) throws InterruptedException {
        long seed = 1;
        Judgement judgement = run(seed, bug);
        while (!invariant.equals(judgement.invariant()) && seed < RUNS_WITH_BUG) {
            judgement = run(++seed, bug);
        }
        assertThat(judgement.invariant()).as(bug + " in " + seed + " runs").isEqualTo(invariant);
        assertThat(run(seed, ProtocolBug.NONE).passed()).isTrue();
    }

    @Test
    void the_same_seed_gives_the_same_trace_and_another_seed_a_different_one() throws InterruptedException {
        Judgement one = run(42, ProtocolBug.NONE);
        assertThat(run(42, ProtocolBug.NONE).lines()).isEqualTo(one.lines());
        assertThat(run(42, ProtocolBug.NONE).digest()).isEqualTo(one.digest());
        assertThat(run(43, ProtocolBug.NONE).digest()).isNotEqualTo(one.digest());
    }

    private static List<Judgement> play(long first, int runs) throws Exception {
        ExecutorService cores = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Judgement>> all = LongStream.range(first, first + runs)
                    .<Callable<Judgement>>mapToObj(seed -> () -> kept(run(seed, ProtocolBug.NONE)))
                    .toList();
            List<Judgement> judgements = new ArrayList<>();
            for (Future<Judgement> judgement : cores.invokeAll(all)) {
                judgements.add(judgement.get());
            }
            return judgements;
        } finally {
            cores.shutdown();
        }
    }

    private static Judgement kept(Judgement judgement) {
        return judgement.passed() ? judgement.withoutLines() : judgement;
    }

    private static Judgement run(long seed, ProtocolBug bug) throws InterruptedException {
        return RepositorySimulation.run(seed, bug, line -> {}, workshop);
    }

    private static String describe(Judgement judgement) {
        return "seed " + judgement.seed() + ": " + judgement.violation() + "\n" + String.join("\n", judgement.lines());
    }
}
