package io.ringmaster.pool.mesos;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.base.AllocationQueues;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Runs the commands of one allocation in the order in which they arrive. One that waits for something is tried again,
 * unless a later one for the same allocation has arrived: what was decided later must not be undone. Safe for
 * concurrent use.
 */
final class CommandQueues {
    private final AllocationQueues queues;
    private final AtomicLong tickets = new AtomicLong();
    /** The ticket of the last command of each allocation. */
    private final Map<AllocationId, Long> newest = new ConcurrentHashMap<>();

    private final Map<AllocationId, Runnable> waiting = new ConcurrentHashMap<>();

    /** One try of a command. */
    interface Try {
        /** @return whether the command waits for something, and must be tried again */
        boolean run();
    }

    CommandQueues(ThreadFactory threads) {
        queues = new AllocationQueues(threads);
    }

    void add(AllocationId id, Try command) {
        add(id, command, queues::add);
    }

    /** Earlier launches that still wait for their first try are dropped. */
    void addLaunch(AllocationId id, Try command) {
        add(id, command, queues::addLaunch);
    }

    /** Earlier launches and relaunches that still wait for their first try are dropped. */
    void addRelaunch(AllocationId id, Try command) {
        add(id, command, queues::addRelaunch);
    }

    /** The first try is made in any case: a launch may follow its reservation at once. */
    private void add(AllocationId id, Try command, BiConsumer<AllocationId, Runnable> queue) {
        long ticket = tickets.incrementAndGet();
        newest.merge(id, ticket, Math::max);
        queue.accept(id, () -> attempt(id, ticket, command));
    }

    private void attempt(AllocationId id, long ticket, Try command) {
        if (command.run() && isNewest(id, ticket)) {
            waiting.put(id, () -> queues.add(id, () -> again(id, ticket, command)));
        }
    }

    private void again(AllocationId id, long ticket, Try command) {
        if (isNewest(id, ticket)) {
            attempt(id, ticket, command);
        }
    }

    private boolean isNewest(AllocationId id, long ticket) {
        return newest.getOrDefault(id, 0L) == ticket;
    }

    /** Tries the commands again that wait for something. */
    void retry() {
        waiting.keySet().forEach(id -> Optional.ofNullable(waiting.remove(id)).ifPresent(Runnable::run));
    }

    /** Adds a task that is no command. */
    void observe(AllocationId id, Runnable task) {
        queues.add(id, task);
    }

    /** Interrupts what runs, and drops what waits. */
    void close(long limitSeconds) throws InterruptedException {
        queues.close(limitSeconds);
    }
}
