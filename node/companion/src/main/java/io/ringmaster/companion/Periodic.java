package io.ringmaster.companion;

import io.ringmaster.companion.cassandra.CompanionThreads;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that is too costly for an answer: a thread of its own does it again and again, and answers take the result. */
final class Periodic {
    private static final Logger LOG = LoggerFactory.getLogger(Periodic.class);

    private final String thread;
    private final Duration pause;
    private final Runnable work;
    private boolean started;

    /**
     * @param thread its name
     * @param pause from the end of the work to its next start
     */
    Periodic(String thread, Duration pause, Runnable work) {
        this.thread = thread;
        this.pause = pause;
        this.work = work;
    }

    /** Returns at once; each call but the first does nothing. */
    synchronized void start() {
        if (!started) {
            CompanionThreads.start(thread, this::run);
            started = true; // not if there are no more threads: the next call tries again
        }
    }

    private void run() {
        boolean fails = false;
        while (true) {
            try {
                work.run();
                fails = false;
            } catch (Throwable e) { // whatever it throws once, the next time may succeed
                if (!fails) {
                    LOG.warn("The work of {} fails; tries again every {} s", thread, pause.toSeconds(), e);
                }
                fails = true;
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }
}
