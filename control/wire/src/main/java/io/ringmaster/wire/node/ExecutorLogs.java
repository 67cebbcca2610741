package io.ringmaster.wire.node;

import io.ringmaster.model.fleet.Allocation;
import java.io.IOException;

/** Reads the last lines of a node's logs from its executor. */
@FunctionalInterface
public interface ExecutorLogs {
    /**
     * @param file {@code system}, {@code daemon}, {@code gc} or {@code executor}
     * @throws IOException with the reason why the executor does not answer
     */
    String tail(Allocation allocation, String file, int lines) throws IOException;
}
