package io.ringmaster.companion.cassandra;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.cassandra.batchlog.BatchlogManager;
import org.apache.cassandra.config.CassandraRelevantProperties;
import org.apache.cassandra.service.StorageService;

/**
 * The waits in which Cassandra only sleeps, so that the other nodes learn of a change of the ring. They show in the
 * stack of the thread; Cassandra names them in its log alone.
 */
public final class RingDelay {
    /** A method of StorageService that sleeps itself. */
    private record Sleep(String method, LongSupplier millis, String before) {}

    private static final List<Sleep> SLEEPS = List.of(
            new Sleep("prepareForBootstrap", RingDelay::beforeReplacing, "until the replaced node counts as silent"),
            new Sleep("bootstrap", () -> StorageService.RING_DELAY_MILLIS, "before it streams"),
            new Sleep("decommission", RingDelay::beforeLeaving, "before it streams its ranges"),
            new Sleep("leaveRing", () -> StorageService.RING_DELAY_MILLIS, "while the others learn that it left"));

    private RingDelay() {}

    /** The wait of a thread with this stack; empty if it works. */
    public static Optional<String> of(StackTraceElement[] stack) {
        if (stack.length == 0 || !isSleep(stack)) {
            return Optional.empty();
        }
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith("org.apache.cassandra.")) {
                return SLEEPS.stream()
                        .filter(s -> frame.getClassName().endsWith(".StorageService")
                                && frame.getMethodName().equals(s.method()))
                        .findFirst()
                        .map(s -> "waits for the ring delay, "
                                + seconds(s.millis().getAsLong()) + ", " + s.before());
            }
        }
        return Optional.empty();
    }

    private static boolean isSleep(StackTraceElement[] stack) {
        return stack[0].getClassName().equals("java.lang.Thread")
                && stack[0].getMethodName().startsWith("sleep");
    }

    private static long beforeReplacing() {
        return StorageService.isReplacingSameAddress()
                ? StorageService.RING_DELAY_MILLIS
                : Math.max(
                        CassandraRelevantProperties.BROADCAST_INTERVAL_MS.getInt(),
                        2 * StorageService.RING_DELAY_MILLIS);
    }

    private static long beforeLeaving() {
        return Math.max(StorageService.RING_DELAY_MILLIS, BatchlogManager.getBatchlogTimeout());
    }

    private static String seconds(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
