package io.ringmaster.wire.node;

import io.ringmaster.model.fleet.Allocation;
import java.io.IOException;

/** Reads the ends of the logs that an executor keeps. */
@FunctionalInterface
public interface ExecutorLogs {
    /**
     * @param file {@code system}, {@code daemon}, {@code gc} or {@code executor}
     * @throws IOException saying why the executor cannot be asked
     */
    String tail(Allocation allocation, String file, int lines) throws IOException;
}
