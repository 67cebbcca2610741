package org.apache.cassandra.concurrent;

import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Parks the idle workers of Cassandra's shared thread pool until there is a task. By default they poll every ten
 * microseconds for at least ten milliseconds after the last task, which is harmless on a machine of its
 * own. On a shared machine a few hundred requests per second keep every node awake, and polling takes half of the
 * processors.
 *
 * <p>The class is in Cassandra's package because the pool's workers are package-private.
 */
public final class IdleWorkers {
    /** The system property that turns parking on with {@code true}. */
    public static final String PROPERTY = "ringmaster.park_idle_workers";

    private IdleWorkers() {}

    /** @throws ReflectiveOperationException this Cassandra has another thread pool, which is unchanged */
    public static void park(SharedExecutorPool pool) throws ReflectiveOperationException {
        Field spinning = SharedExecutorPool.class.getDeclaredField("spinning");
        spinning.setAccessible(true);
        spinning.set(pool, new ParkedWorkers());
    }

    /** Registers the next poll of an idle worker. Here the worker gets the pool's own stop signal instead. */
    private static final class ParkedWorkers extends ConcurrentSkipListMap<Long, SEPWorker> {
        private static final long serialVersionUID = 1L;

        /** Returns not null, so that the worker does not sleep here but parks, or takes a task that arrived. */
        @Override
        public SEPWorker putIfAbsent(Long wakeAt, SEPWorker worker) {
            worker.assign(SEPWorker.Work.STOP_SIGNALLED, true);
            return worker;
        }
    }
}
