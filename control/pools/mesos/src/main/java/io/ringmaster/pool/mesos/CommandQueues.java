package io.ringmaster.pool.mesos;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.base.AllocationQueues;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Runs the commands of one allocation in the order in which they arrive. One that waits for something is tried again,
 * unless a later one for the same allocation has arrived: what was decided later must not be undone. A launch decides
 * nothing while the reservation that it needs still waits: the reservation stays, and the controller launches once it
 * is made. Safe for concurrent use.
 */
final class CommandQueues {
    private final AllocationQueues queues;
    private final Predicate<AllocationId> launchable;
    private final AtomicLong tickets = new AtomicLong();
    /** The ticket of the last command of each allocation. */
    private final Map<AllocationId, Long> newest = new ConcurrentHashMap<>();
    /** The same, less launches that did not run: what replaces a reservation. */
    private final Map<AllocationId, Long> deciding = new ConcurrentHashMap<>();
    /** Allocations whose reservation waits. */
    private final Set<AllocationId> reserving = ConcurrentHashMap.newKeySet();

    private final Map<AllocationId, Runnable> waiting = new ConcurrentHashMap<>();

    /** One try of a command. */
    interface Try {
        /** @return whether the command waits for something, and must be tried again */
        boolean run();
    }

    private enum Kind {
        RESERVATION,
        LAUNCH,
        END
    }

    private record Queued(AllocationId id, long ticket, Kind kind, Try command) {}

    /** @param launchable whether all that a launch needs is reserved, as far as is known */
    CommandQueues(ThreadFactory threads, Predicate<AllocationId> launchable) {
        queues = new AllocationQueues(threads);
        this.launchable = launchable;
    }

    void addReservation(AllocationId id, Try command) {
        add(id, Kind.RESERVATION, command, queues::add);
    }

    /** Adds a kill or a release. */
    void addEnd(AllocationId id, Try command) {
        add(id, Kind.END, command, queues::add);
    }

    /** Earlier launches that still wait for their first try are dropped. */
    void addLaunch(AllocationId id, Try command) {
        add(id, Kind.LAUNCH, command, queues::addLaunch);
    }

    /** Earlier launches and relaunches that still wait for their first try are dropped. */
    void addRelaunch(AllocationId id, Try command) {
        add(id, Kind.LAUNCH, command, queues::addRelaunch);
    }

    /** The first try is made in any case but that of a launch before its reservation. */
    private void add(AllocationId id, Kind kind, Try command, BiConsumer<AllocationId, Runnable> queue) {
        long ticket = tickets.incrementAndGet();
        newest.merge(id, ticket, Math::max);
        if (kind != Kind.LAUNCH) {
            deciding.merge(id, ticket, Math::max);
        }
        Queued queued = new Queued(id, ticket, kind, command);
        queue.accept(id, () -> attempt(queued));
    }

    private void attempt(Queued queued) {
        AllocationId id = queued.id();
        if (queued.kind() == Kind.LAUNCH) {
            if (reserving.contains(id) && !launchable.test(id)) {
                return;
            }
            deciding.merge(id, queued.ticket(), Math::max);
        }
        reserving.remove(id);
        if (queued.command().run()) {
            if (queued.kind() == Kind.RESERVATION) {
                reserving.add(id);
            }
            if (isNewest(queued)) {
                waiting.put(id, () -> queues.add(id, () -> again(queued)));
            }
        }
    }

    private void again(Queued queued) {
        if (isNewest(queued)) {
            attempt(queued);
        }
    }

    private boolean isNewest(Queued queued) {
        Map<AllocationId, Long> last = queued.kind() == Kind.RESERVATION ? deciding : newest;
        return last.getOrDefault(queued.id(), 0L) == queued.ticket();
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
