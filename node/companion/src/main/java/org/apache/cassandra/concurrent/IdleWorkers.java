package org.apache.cassandra.concurrent;

import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Lets the workers of Cassandra's shared pool sleep until there is work. Cassandra's own look for some each ten microseconds, for ten
 * milliseconds and more after the last: no harm where a node has processors of its own, but a few hundred requests a second keep every
 * node of a shared machine awake, and half of its processors go into that.
 *
 * <p>It is in Cassandra's package as the pool shows its workers to nobody else.
 */
public final class IdleWorkers {
    /** Set for the JVM to {@code true} to have it. */
    public static final String PROPERTY = "ringmaster.park_idle_workers";

    private IdleWorkers() {}

    /** @throws ReflectiveOperationException if this Cassandra's pool is another; it is as it was then */
    public static void park(SharedExecutorPool pool) throws ReflectiveOperationException {
        Field spinning = SharedExecutorPool.class.getDeclaredField("spinning");
        spinning.setAccessible(true);
        spinning.set(pool, new NoneSpins());
    }

    /** Where a worker without work says that it looks again soon. It is told to stop, as the pool itself tells it in the end. */
    private static final class NoneSpins extends ConcurrentSkipListMap<Long, SEPWorker> {
        private static final long serialVersionUID = 1L;

        /** Not null: the worker does not sleep here, but goes on and parks, or takes the work that it was given meanwhile. */
        @Override
        public SEPWorker putIfAbsent(Long wakeAt, SEPWorker worker) {
            worker.assign(SEPWorker.Work.STOP_SIGNALLED, true);
            return worker;
        }
    }
}
