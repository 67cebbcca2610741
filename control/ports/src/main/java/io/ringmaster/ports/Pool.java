package io.ringmaster.ports;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.AllocationId;
import java.util.Optional;

/**
 * The machines of a datacenter and the allocations on them. After {@link #start} the pool reports everything ({@code
 * PoolSeen}) and then each change. No call blocks on I/O or throws for a failure of the machines: a reservation that
 * cannot be made becomes {@code AllocationChanged(FAILED)}.
 *
 * <p>Commands are idempotent. Each carries the epoch of the leader that sent it. The pool refuses every epoch below the
 * highest that it has seen, also after a restart: a command that was delayed for minutes must not undo a decision of
 * the present leader.
 */
public interface Pool extends AutoCloseable {
    /** @param records durable values of the pool, such as the id of its state directory */
    void start(FactSink facts, PoolRecords records);

    void reserve(Command.Reserve command, long epoch);

    void launch(Command.Launch command, long epoch);

    void relaunch(Command.Relaunch command, long epoch);

    void kill(Command.Kill command, long epoch);

    void release(Command.Release command, long epoch);

    /**
     * How to call the executor of an allocation; empty if the pool has no such allocation, or does not know its address
     * yet. May be called from any thread.
     */
    Optional<ExecutorAccess> access(AllocationId allocation);

    /** Reads the Secrets of its platform; empty if that has none. May be called from any thread. */
    default Optional<SecretReader> secrets() {
        return Optional.empty();
    }

    /** Stops observing; what runs in allocations keeps running. */
    @Override
    void close();
}
