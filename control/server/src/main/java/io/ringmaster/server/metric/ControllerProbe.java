package io.ringmaster.server.metric;

import io.ringmaster.controller.ControllerLoop;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Measures every 2 s how long a task waits for the controller's thread. */
public final class ControllerProbe implements AutoCloseable {
    private static final long EVERY_MS = 2_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "controller-probe");
        thread.setDaemon(true);
        return thread;
    });

    public ControllerProbe(ControllerLoop loop, ServerMetrics metrics) {
        var unused =
                timer.scheduleWithFixedDelay(() -> probe(loop, metrics), EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private static void probe(ControllerLoop loop, ServerMetrics metrics) {
        long asked = System.nanoTime();
        var unused = loop.ask(controller -> System.nanoTime())
                .thenAccept(got -> metrics.controllerDelay(Duration.ofNanos(got - asked)));
    }
}
