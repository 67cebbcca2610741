package io.ringmaster.ports;

import io.ringmaster.model.command.Command;

/**
 * What hands out machines. After {@link #start} it tells its whole picture ({@code PoolSeen}) and then each change; no call
 * blocks on the outside or throws for its failures: a reservation that cannot be made becomes {@code AllocationChanged(FAILED)}.
 */
public interface Pool extends AutoCloseable {
    void start(FactSink facts);

    void reserve(Command.Reserve command);

    void launch(Command.Launch command);

    void kill(Command.Kill command);

    void release(Command.Release command);

    /** Stops observing; what runs in allocations keeps running. */
    @Override
    void close();
}
