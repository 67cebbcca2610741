package io.ringmaster.cli.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.json.Json;
import io.ringmaster.model.plan.PlanLoad;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One process {@code metronome probe --periods}. It reads the name of each new period and reports the figures of the
 * previous one. It ends with this process.
 */
final class LoadProcess implements AutoCloseable {
    private static final String PERIOD = "period";
    private static final int ERROR_LENGTH = 200;

    /** Output of the process; the last item is its end. */
    private sealed interface Output {
        record Second() implements Output {}

        record Reported(PlanLoad.Period period) implements Output {}

        record Ended() implements Output {}
    }

    private final Process process;
    private final BlockingQueue<Output> output = new LinkedBlockingQueue<>();
    private final Thread errors;
    private volatile @Nullable String lastError;

    LoadProcess(List<String> command) {
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
        errors = each(process.getErrorStream(), line -> lastError = line, () -> {});
        each(process.getInputStream(), this::take, () -> output.add(new Output.Ended()));
    }

    private static Thread each(InputStream from, Consumer<String> take, Runnable atEnd) {
        var thread = new Thread(
                () -> {
                    try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                        lines.lines().forEach(take);
                    } catch (IOException | UncheckedIOException e) {
                        // The process has ended; the end of its output reports the same.
                    }
                    atEnd.run();
                },
                "load-reader");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void take(String line) {
        JsonNode json = Json.parse(line, JsonNode.class);
        output.add(json.has(PERIOD) ? new Output.Reported(period(json)) : new Output.Second());
    }

    private static PlanLoad.Period period(JsonNode json) {
        JsonNode error = json.path("errors").path(0);
        String text =
                error.path("class").asText() + ": " + error.path("example").asText();
        return new PlanLoad.Period(
                json.path("seconds").asDouble(),
                json.path("requests").asLong(),
                json.path("failed").asLong(),
                figure(json.path("p50_ms")),
                figure(json.path("p99_ms")),
                figure(json.path("p999_ms")),
                figure(json.path("max_ms")),
                error.isMissingNode() ? null : text.substring(0, Math.min(ERROR_LENGTH, text.length())));
    }

    private static @Nullable Double figure(JsonNode json) {
        return json.isNumber() ? json.asDouble() : null;
    }

    /** Returns once requests are answered. */
    void awaitFirstSecond(Duration limit) throws InterruptedException {
        next(limit, Output.Second.class);
    }

    /** Requests from the next second on count for this period. */
    void begin(String period) throws InterruptedException {
        try {
            var to = process.getOutputStream();
            to.write((period + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        } catch (IOException e) {
            throw ended();
        }
    }

    /** The figures of the period that ended when the current one started. */
    PlanLoad.Period reported(Duration limit) throws InterruptedException {
        return next(limit, Output.Reported.class).period();
    }

    /** Ends the load and returns the figures of the last period. */
    PlanLoad.Period end(Duration limit) throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw ended();
        }
        return reported(limit);
    }

    private <S extends Output> S next(Duration limit, Class<S> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            Output next = output.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new Failure(
                        ExitCode.FAILED, "the load generator printed nothing for " + limit.toSeconds() + " s", null);
            }
            if (next instanceof Output.Ended) {
                throw ended();
            }
            if (wanted.isInstance(next)) {
                return wanted.cast(next);
            }
        }
    }

    private Failure ended() throws InterruptedException {
        errors.join(1_000);
        String why = lastError;
        return new Failure(ExitCode.FAILED, "the load ended: " + (why == null ? "it printed no reason" : why), null);
    }

    @Override
    public void close() {
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
    }
}
