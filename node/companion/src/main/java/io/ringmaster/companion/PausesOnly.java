package io.ringmaster.companion;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Keeps the cycles of concurrent collectors out of Cassandra's log. Shenandoah and ZGC work through a cycle beside the
 * application, for seconds on a small machine; Cassandra warns of each as if it were a pause, and writes the state of
 * all thread pools after it. The pauses are reported on their own.
 */
public final class PausesOnly extends Filter<ILoggingEvent> {
    private static final String COLLECTIONS = "org.apache.cassandra.service.GCInspector";
    private static final String THREAD_POOLS = "org.apache.cassandra.utils.StatusLogger";

    /** The thread on which the JVM reports collections, while the last one that it reported was a cycle. */
    private volatile String inCycle = "";

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (event.getLoggerName().equals(COLLECTIONS)) {
            boolean cycle = event.getFormattedMessage().matches("(?s)\\S+ Cycles GC in .*");
            inCycle = cycle ? event.getThreadName() : "";
            return cycle ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
        return event.getLoggerName().equals(THREAD_POOLS)
                        && event.getThreadName().equals(inCycle)
                ? FilterReply.DENY
                : FilterReply.NEUTRAL;
    }
}
