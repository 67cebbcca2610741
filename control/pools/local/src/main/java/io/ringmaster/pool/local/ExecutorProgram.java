package io.ringmaster.pool.local;

import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.pool.local.binaries.BinariesUnavailableException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The program that an allocation runs. */
@FunctionalInterface
public interface ExecutorProgram {
    /**
     * Fetches the parts of the executor and its node, which takes minutes the first time, and returns the command line.
     *
     * @param directory of the allocation
     * @param progress receives each stage, for people
     */
    List<String> command(Path directory, NodeTarget target, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException;
}
