package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Sends calls of the scheduler. */
@FunctionalInterface
public interface MasterCalls {
    /** @throws IOException the call did not arrive, or was refused; the message says why */
    void call(ObjectNode call) throws IOException, InterruptedException;
}
