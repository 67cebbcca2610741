package io.ringmaster.executor.container;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.supervisor.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Ends the daemon before its executor ends, because the kernel kills it with the container. The supervisor's loop does
 * it in order. If that loop hangs or has died, the daemon gets SIGTERM, on which Cassandra drains as well.
 */
final class ContainerEnd {
    private static final long POLL_MS = 50;

    private final NodeFiles files;
    private final Supervisor supervisor;
    private final Thread loop;
    private final Duration loopLimit;
    private final Duration limit;

    /**
     * @param loop the thread of the supervisor
     * @param loopLimit the longest wait for the loop
     * @param limit the longest wait altogether
     */
    ContainerEnd(NodeFiles files, Supervisor supervisor, Thread loop, Duration loopLimit, Duration limit) {
        this.files = files;
        this.supervisor = supervisor;
        this.loop = loop;
        this.loopLimit = loopLimit;
        this.limit = limit;
    }

    /** @return whether no daemon is left */
    boolean run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean turns = supervisor.board().pulse().isLive();
        supervisor.end();
        if (turns) {
            loop.join(loopLimit.toMillis());
        }
        Optional<Daemon> left = Daemon.adopt(files);
        if (left.isEmpty()) {
            return true;
        }
        Log.info("the supervisor did not end the daemon " + left.get().pid() + ": terminating it");
        left.get().terminate();
        while (left.get().isAlive()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                return false;
            }
            Thread.sleep(POLL_MS);
        }
        return true;
    }
}
