package io.ringmaster.pool.local;

import io.ringmaster.model.name.NodeId;
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
     * @param progress receives each stage, for people
     */
    List<String> command(Start start, Consumer<String> progress)
            throws BinariesUnavailableException, InterruptedException;

    /**
     * One start of an executor.
     *
     * @param directory of the allocation
     * @param address that executor and daemon listen on
     * @param port of the executor
     * @param generation that the node has: its target on disk is out of date if it is older
     * @param door whether the executor speaks TLS, with the files of its door in the directory
     */
    record Start(
            Path directory,
            NodeId node,
            String cassandraVersion,
            String address,
            int port,
            long generation,
            boolean door) {}
}
