package io.ringmaster.server.metric;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the targets that are sent to executors, and how many of them are repeated. */
public final class CountingExecutorClient implements ExecutorClient {
    private final ExecutorClient client;
    private final ServerMetrics metrics;
    private final Map<NodeId, Long> generations = new ConcurrentHashMap<>();

    public CountingExecutorClient(ExecutorClient client, ServerMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
    }

    @Override
    public void start(FactSink facts) {
        client.start(facts);
    }

    @Override
    public void watch(Command.Watch command) {
        client.watch(command);
    }

    @Override
    public void apply(Command.Apply command) {
        long generation = command.target().generation();
        Long before = generations.put(command.target().node(), generation);
        metrics.command("apply", before != null && before == generation);
        client.apply(command);
    }

    @Override
    public void forget(Command.Forget command) {
        generations.remove(command.node());
        client.forget(command);
    }

    @Override
    public void makeAuthority(Command.MakeAuthority command) {
        client.makeAuthority(command);
    }

    @Override
    public void certify(Command.Certify command) {
        metrics.command("certify", false);
        client.certify(command);
    }

    @Override
    public void close() {
        client.close();
    }
}
