package io.ringmaster.ports;

import io.ringmaster.model.command.Command;

/**
 * Calls the executors, and issues the certificates of their nodes. For every watched node it reports each change of
 * status, and silence while the executor does not answer. Facts may be late, repeated or missing, but an older one
 * never follows a newer one, and none follows a forget.
 */
public interface ExecutorClient extends AutoCloseable {
    void start(FactSink facts);

    void watch(Command.Watch command);

    void apply(Command.Apply command);

    void forget(Command.Forget command);

    /** Makes an authority of this datacenter and reports it; a failure is logged, and the command comes again. */
    void makeAuthority(Command.MakeAuthority command);

    /** Issues a certificate and sends it. The next status shows whether the executor uses it. */
    void certify(Command.Certify command);

    @Override
    void close();
}
