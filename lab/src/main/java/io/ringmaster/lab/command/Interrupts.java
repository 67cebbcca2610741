package io.ringmaster.lab.command;

import io.ringmaster.lab.bench.Bench;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM end a run: what the bench has opened is closed before the process ends. The thread of the run is
 * interrupted first, so that it starts nothing more.
 */
final class Interrupts {
    private static final long LONGEST_S = 60;

    private Interrupts() {}

    /** What a signal interrupts. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    static void during(Bench bench, Work work) throws IOException, InterruptedException {
        Thread run = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            run.interrupt();
            bench.close();
            await(ended); // what it was starting when the signal came, it ends itself
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            work.run();
        } finally {
            ended.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is ending, and the hook does its work
            }
        }
    }

    private static void await(CountDownLatch ended) {
        try {
            if (!ended.await(LONGEST_S, TimeUnit.SECONDS)) {
                System.err.println("the experiment does not end; look for processes below .build/lab");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
