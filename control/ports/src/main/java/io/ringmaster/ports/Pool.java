package io.ringmaster.ports;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.AllocationId;
import java.util.Optional;

/**
 * The machines of a datacenter and the allocations on them. After {@link #start} the pool reports everything ({@code
 * PoolSeen}) and then each change. No call blocks on I/O or throws for a failure of the machines: a reservation that
 * cannot be made becomes {@code AllocationChanged(FAILED)}. Commands are idempotent.
 */
public interface Pool extends AutoCloseable {
    void start(FactSink facts);

    void reserve(Command.Reserve command);

    void launch(Command.Launch command);

    void kill(Command.Kill command);

    void release(Command.Release command);

    /**
     * How to call the executor of an allocation; empty if the pool has no such allocation. May be called from any
     * thread.
     */
    Optional<ExecutorAccess> access(AllocationId allocation);

    /** Stops observing; what runs in allocations keeps running. */
    @Override
    void close();
}
