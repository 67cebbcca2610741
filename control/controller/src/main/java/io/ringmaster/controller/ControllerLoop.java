package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Leadership;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Controller} on one thread fed by a queue, in the order of arrival; facts that wait together are decided
 * on together. Every method may be called from any thread.
 */
public final class ControllerLoop implements FactSink, Leadership.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);
    private static final long TICK_MS = 500;
    private static final int FACTS_AT_ONCE = 1000;
    private static final long STOP_LIMIT_MS = 10_000;

    private final Controller controller;
    private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile View view;
    private volatile boolean informed;
    private volatile boolean closed;

    /** Something to do on the thread. */
    private sealed interface Event {
        record Saw(Fact fact) implements Event {}

        record Call(Runnable run, Runnable cancel) implements Event {}
    }

    /** Takes over {@code controller}: nobody else may call it from now on. */
    public ControllerLoop(Controller controller) {
        this.controller = controller;
        this.view = controller.view();
        this.thread = new Thread(this::run, "controller");
        this.thread.setDaemon(true);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    @Override
    public void accept(Fact fact) {
        queue.add(new Event.Saw(fact));
    }

    @Override
    public void onElected(long epoch) {
        call(() -> controller.elected(epoch));
    }

    @Override
    public void onLost() {
        call(controller::lost);
    }

    /**
     * Asks the controller something on its thread: {@code loop.ask(c -> c.requests().applySpec(...))}. The future fails
     * with what the request threw, or is cancelled when the loop is closed first.
     */
    public <T> CompletableFuture<T> ask(Function<Controller, T> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        queue.add(new Event.Call(
                () -> {
                    try {
                        T value = request.apply(controller);
                        publish();
                        answer.complete(value);
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                },
                () -> answer.completeExceptionally(new CancellationException("the controller was closed"))));
        if (closed) {
            cancelWaiting();
        }
        return answer;
    }

    /** The view after the last event; never waits. */
    public View view() {
        return view;
    }

    /** Whether {@link #view} is a leader's, with all records read; never waits. */
    public boolean informed() {
        return informed;
    }

    /** Stops the thread; what runs in allocations keeps running. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(STOP_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cancelWaiting();
    }

    private void publish() {
        view = controller.view();
        informed = controller.informed();
    }

    private void call(Runnable run) {
        queue.add(new Event.Call(run, () -> {}));
    }

    private void cancelWaiting() {
        for (Event event = queue.poll(); event != null; event = queue.poll()) {
            if (event instanceof Event.Call waiting) {
                waiting.cancel().run();
            }
        }
    }

    private void run() {
        long nextTick = System.nanoTime();
        while (!closed) {
            try {
                long waitNanos = Math.max(0, nextTick - System.nanoTime());
                handle(queue.poll(waitNanos, TimeUnit.NANOSECONDS));
                if (System.nanoTime() >= nextTick) {
                    nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TICK_MS);
                    controller.tick();
                }
                publish();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.error("a decision failed; the next event or tick tries again", e);
            }
        }
    }

    private void handle(@Nullable Event event) {
        if (event instanceof Event.Call call) {
            call.run().run();
        } else if (event instanceof Event.Saw saw) {
            controller.observe(saw.fact());
            for (int i = 0; i < FACTS_AT_ONCE && queue.peek() instanceof Event.Saw; i++) {
                if (queue.poll() instanceof Event.Saw next) {
                    controller.observe(next.fact());
                }
            }
            controller.decide();
        }
    }
}
