package io.ringmaster.companion.cassandra;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of the companion. What their work throws ends in the log: Cassandra's handler of uncaught exceptions may
 * stop the node for it. An error of the JVM itself, such as too little memory, is for that handler.
 */
public final class CompanionThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CompanionThreads.class);

    private CompanionThreads() {}

    /** @throws OutOfMemoryError the operating system gives no more threads */
    public static void start(String name, Runnable work) {
        of(name, work).start();
    }

    /** A thread that is not started yet. */
    public static Thread of(String name, Runnable work) {
        Thread thread = new Thread(() -> run(name, work), name);
        thread.setDaemon(true);
        return thread;
    }

    private static void run(String name, Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            LOG.error("Thread {} ends", name, e);
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
        }
    }
}
