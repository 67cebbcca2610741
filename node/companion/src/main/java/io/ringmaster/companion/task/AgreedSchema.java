package io.ringmaster.companion.task;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.cassandra.service.StorageProxy;

/**
 * Waits until the nodes that answer have one schema: a replica refuses, with an error in its log, rows of a table that
 * it does not know yet.
 */
final class AgreedSchema {
    private static final long POLL_MS = 200;

    private AgreedSchema() {}

    /** @return false if the nodes still differ after this time, or the task was stopped */
    static boolean await(Duration atMost, Progress progress) throws InterruptedException {
        return await(atMost, progress, () -> StorageProxy.describeSchemaVersions(false));
    }

    /** @param versions the nodes by schema; those that do not answer under {@code StorageProxy.UNREACHABLE} */
    static boolean await(Duration atMost, Progress progress, Supplier<Map<String, List<String>>> versions)
            throws InterruptedException {
        long start = System.nanoTime();
        while (!progress.isStopped()) {
            Map<String, List<String>> known = new TreeMap<>(versions.get());
            known.remove(StorageProxy.UNREACHABLE);
            if (known.size() <= 1) {
                return true;
            }
            if (System.nanoTime() - start > atMost.toNanos()) {
                return false;
            }
            Thread.sleep(POLL_MS);
        }
        return false;
    }
}
