package io.ringmaster.lab.command;

import io.ringmaster.lab.bench.Bench;
import java.io.IOException;

/**
 * Ctrl-C and SIGTERM end a run: what the bench has opened is closed before the process ends. The thread of the run is
 * interrupted first, so that it starts nothing more.
 */
final class Interrupts {
    private Interrupts() {}

    /** What a signal interrupts. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    static void during(Bench bench, Work work) throws IOException, InterruptedException {
        Thread run = Thread.currentThread();
        Thread hook = new Thread(() -> {
            run.interrupt();
            bench.close();
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            work.run();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is ending, and the hook does its work
            }
        }
    }
}
