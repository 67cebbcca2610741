package io.ringmaster.simulator.repository;

import io.ringmaster.host.FileTree;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.invariant.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run: backups, collections and restores under faults, then two quiet collections. */
public final class RepositorySimulation {
    /**
     * How a run ended.
     *
     * @param invariant the name of the broken invariant, or null
     * @param violation what happened, or null
     * @param lines the end of the trace
     * @param digest equal for equal traces
     * @param virtualMillis the virtual time that passed
     * @param backups that were complete at some time
     * @param restores that ended well
     */
    public record Judgement(
            long seed,
            @Nullable String invariant,
            @Nullable String violation,
            List<String> lines,
            long digest,
            long virtualMillis,
            int backups,
            int restores) {
        public boolean passed() {
            return violation == null;
        }

        /** Without its trace. */
        public Judgement withoutLines() {
            return new Judgement(seed, invariant, violation, List.of(), digest, virtualMillis, backups, restores);
        }
    }

    private final long seed;
    private final ActorSchedule schedule;
    private final Judge judge;
    private final Restores restores;
    private final RepositoryServer server;

    private RepositorySimulation(
            long seed, ProtocolBug bug, Consumer<String> verbose, Workshop workshop, Path directory) {
        this.seed = seed;
        var random = new SeededRandom(seed);
        schedule = new ActorSchedule(random, verbose, workshop.threads());
        VirtualClock clock = schedule.clock();
        var objects = new SimObjects(clock);
        var contents = new BackupContents(objects);
        judge = new Judge(objects, contents, clock);
        var transfers = new Transfers(schedule, objects, judge, workshop, bug);
        restores = new Restores(random, objects, contents, judge, transfers, directory);
        var nodes = new RepositoryNodes(random, directory);
        server = new RepositoryServer(schedule, random, nodes, contents, judge, transfers, restores, directory);
    }

    /**
     * Plays the run of a seed; the same seed gives the same trace.
     *
     * @param verbose receives each line of the trace when it is added
     */
    public static Judgement run(long seed, ProtocolBug bug, Consumer<String> verbose, Workshop workshop)
            throws InterruptedException {
        Path directory =
                workshop.directory().resolve(seed + "-" + Thread.currentThread().getId());
        try {
            Files.createDirectory(directory);
            try {
                return new RepositorySimulation(seed, bug, verbose, workshop, directory).play();
            } finally {
                FileTree.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Judgement play() throws InterruptedException {
        String invariant = null;
        String violation = null;
        try {
            schedule.run("server", server::run);
        } catch (Violation e) {
            invariant = e.invariant();
            violation = e.getMessage();
        } catch (RuntimeException e) {
            invariant = "no-exception";
            StackTraceElement[] at = e.getStackTrace();
            violation = "no-exception: " + e + (at.length == 0 ? "" : " at " + at[0]);
        }
        return new Judgement(
                seed,
                invariant,
                violation,
                schedule.trace().lines(),
                schedule.trace().digest(),
                schedule.clock().nowMillis(),
                judge.everComplete().size(),
                restores.done());
    }
}
