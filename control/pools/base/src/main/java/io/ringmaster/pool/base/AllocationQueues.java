package io.ringmaster.pool.base;

import io.ringmaster.model.name.AllocationId;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of one allocation in the order in which they arrive; different allocations do not wait for each other.
 * Adding a task does not block. Safe for concurrent use.
 */
public final class AllocationQueues {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationQueues.class);

    private final ExecutorService workers;
    private final Map<AllocationId, CompletableFuture<Void>> lastTasks = new ConcurrentHashMap<>();
    /** The ticket of the newest launch that waits, and of the newest relaunch. */
    private final Map<AllocationId, Long> launches = new ConcurrentHashMap<>();

    private final Map<AllocationId, Long> relaunches = new ConcurrentHashMap<>();
    private final AtomicLong tickets = new AtomicLong();

    /** @param threads makes the threads of the tasks; each allocation with tasks uses one at a time */
    public AllocationQueues(ThreadFactory threads) {
        workers = Executors.newCachedThreadPool(threads);
    }

    /** Adds a task. One that throws does not end its queue, and nobody sees what it throws. */
    public void add(AllocationId id, Runnable task) {
        CompletableFuture<Void> added = lastTasks.compute(id, (i, last) -> {
            CompletableFuture<Void> before = last == null ? CompletableFuture.completedFuture(null) : last;
            return before.exceptionally(e -> null).thenRunAsync(task, workers);
        });
        var unused = added.whenComplete((done, e) -> lastTasks.remove(id, added));
    }

    /** Whether no task waits or runs. */
    public boolean isEmpty() {
        return lastTasks.isEmpty();
    }

    /**
     * Adds a launch; earlier ones that still wait are dropped. A launch may take minutes, and the controller repeats it
     * meanwhile.
     */
    public void addLaunch(AllocationId id, Runnable task) {
        addNewest(launches, id, task);
    }

    /** Adds a relaunch; earlier launches and relaunches that still wait are dropped. */
    public void addRelaunch(AllocationId id, Runnable task) {
        launches.remove(id);
        addNewest(relaunches, id, task);
    }

    private void addNewest(Map<AllocationId, Long> newest, AllocationId id, Runnable task) {
        long ticket = tickets.incrementAndGet();
        newest.put(id, ticket);
        add(id, () -> {
            if (newest.remove(id, ticket)) {
                task.run();
            }
        });
    }

    /** Interrupts the running tasks, drops those that wait, and waits for the running ones until the limit. */
    public void close(long limitSeconds) throws InterruptedException {
        workers.shutdownNow();
        if (!workers.awaitTermination(limitSeconds, TimeUnit.SECONDS)) {
            LOG.warn("work on allocations did not stop within {} s", limitSeconds);
        }
    }
}
