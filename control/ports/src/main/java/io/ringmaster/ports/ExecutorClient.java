package io.ringmaster.ports;

import io.ringmaster.model.command.Command;

/**
 * Calls the executors. For every watched node it reports each change of status, and silence while the executor does
 * not answer. Facts may be late, repeated or missing, but an older one never follows a newer one, and none follows a
 * forget.
 */
public interface ExecutorClient extends AutoCloseable {
    void start(FactSink facts);

    void watch(Command.Watch command);

    void apply(Command.Apply command);

    void forget(Command.Forget command);

    @Override
    void close();
}
