package io.ringmaster.ports;

import io.ringmaster.model.command.Command;

/** The way to the executors. It keeps every watched node's facts coming: each change of status, and silence when there is none. */
public interface NodeAgent extends AutoCloseable {
    void start(FactSink facts);

    void watch(Command.Watch command);

    void apply(Command.Apply command);

    void forget(Command.Forget command);

    @Override
    void close();
}
