package io.ringmaster.simulator.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Plays the runs of consecutive seeds on all cores. */
final class Runs {
    /** Plays the run of a seed. */
    @FunctionalInterface
    interface Player<T> {
        T play(long seed) throws InterruptedException;
    }

    private Runs() {}

    /**
     * A core takes the next seed. A parallel stream gives each its share in advance: one ends before the other.
     *
     * @param inOrder one after another
     * @return how each run ended, in the order of the seeds
     */
    static <T> List<T> of(long seed, int runs, boolean inOrder, Player<T> player)
            throws InterruptedException, ExecutionException {
        ExecutorService cores =
                Executors.newFixedThreadPool(inOrder ? 1 : Runtime.getRuntime().availableProcessors());
        try {
            List<Callable<T>> all = LongStream.range(seed, seed + runs)
                    .<Callable<T>>mapToObj(s -> () -> player.play(s))
                    .toList();
            List<T> outcomes = new ArrayList<>();
            for (Future<T> outcome : cores.invokeAll(all)) {
                outcomes.add(outcome.get());
            }
            return outcomes;
        } finally {
            cores.shutdown();
        }
    }
}
