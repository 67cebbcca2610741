package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Leadership;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs a {@link Controller} on one thread fed by a queue. Every method may be called from any thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class ControllerLoop implements FactSink, Leadership.Listener, AutoCloseable {

    /** Takes over {@code controller}: nobody else may call it from now on. */
    public ControllerLoop(Controller controller) {}

    /** Starts the thread. */
    public void start() {}

    @Override
    public void accept(Fact fact) {}

    @Override
    public void onElected(long epoch) {}

    @Override
    public void onLost() {}

    /** Asks the controller something on its thread: {@code loop.ask(c -> c.applySpec(...))}. */
    public <T> CompletableFuture<T> ask(Function<Controller, T> request) {
        throw new UnsupportedOperationException();
    }

    /** The view after the last event; never waits. */
    public View view() {
        throw new UnsupportedOperationException();
    }

    /** Stops the thread; what runs in allocations keeps running. */
    @Override
    public void close() {}
}
