package io.ringmaster.ports;

import io.ringmaster.model.command.Command;

/**
 * The way to the executors. It keeps every watched node's facts coming: changes of status, and silence when there is none. They may be
 * late, told twice or left out, but an older one never follows a newer one, and none follows a forget.
 */
public interface ExecutorClient extends AutoCloseable {
    void start(FactSink facts);

    void watch(Command.Watch command);

    void apply(Command.Apply command);

    void forget(Command.Forget command);

    @Override
    void close();
}
