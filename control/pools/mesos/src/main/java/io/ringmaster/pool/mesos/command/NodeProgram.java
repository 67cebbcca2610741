package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.fleet.Allocation;

/** The program that the task of an allocation runs. */
@FunctionalInterface
public interface NodeProgram {
    /** The variable with the executor's token, if its task brings one; it must not stay in the environment. */
    String TOKEN = "RINGMASTER_TOKEN";

    /** A command for {@code sh}, which starts in the sandbox of the task. */
    String command(Start start);

    /**
     * One start of an executor.
     *
     * @param address that executor and daemon listen on
     * @param generation that the node has: its target on disk is out of date if it is older
     */
    record Start(Allocation allocation, String cassandraVersion, String address, long generation) {}
}
