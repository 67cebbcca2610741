package io.ringmaster.pool.local;

import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** What runs in an allocation. */
@FunctionalInterface
public interface ExecutorProgram {
    /**
     * Brings what the executor and its node need, which may take minutes the first time, and says how to start it.
     *
     * @param directory the allocation's
     * @param progress told what is being done
     */
    List<String> command(Path directory, NodeTarget target, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException;
}
