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

/** One {@code metronome probe --periods}: it is told which period begins, and tells what the one before met. It ends when this process does. */
final class LoadProcess implements AutoCloseable {
    private static final String PERIOD = "period";
    private static final int ERROR_LENGTH = 200;

    /** What the process says; the last is that it has ended. */
    private sealed interface Said {
        record Second() implements Said {}

        record Told(PlanLoad.Period period) implements Said {}

        record Ended() implements Said {}
    }

    private final Process process;
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    private final Thread complaints;
    private volatile @Nullable String complaint;

    LoadProcess(List<String> command) {
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
        complaints = each(process.getErrorStream(), line -> complaint = line, () -> {});
        each(process.getInputStream(), this::hear, () -> said.add(new Said.Ended()));
    }

    private static Thread each(InputStream from, Consumer<String> take, Runnable atEnd) {
        var thread = new Thread(
                () -> {
                    try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                        lines.lines().forEach(take);
                    } catch (IOException | UncheckedIOException e) {
                        // The process has ended, which is what the end of its output says, too.
                    }
                    atEnd.run();
                },
                "load-reader");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void hear(String line) {
        JsonNode json = Json.parse(line, JsonNode.class);
        said.add(json.has(PERIOD) ? new Said.Told(period(json)) : new Said.Second());
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

    /** Returns when the first requests were answered. */
    void awaitFirstSecond(Duration limit) throws InterruptedException {
        next(limit, Said.Second.class);
    }

    /** From the next second on, what is met belongs to this period. */
    void begin(String period) throws InterruptedException {
        try {
            var to = process.getOutputStream();
            to.write((period + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        } catch (IOException e) {
            throw ended();
        }
    }

    /** What the period met that ended, once the next has begun. */
    PlanLoad.Period told(Duration limit) throws InterruptedException {
        return next(limit, Said.Told.class).period();
    }

    /** Ends the load, and tells what the last period met. */
    PlanLoad.Period end(Duration limit) throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw ended();
        }
        return told(limit);
    }

    private <S extends Said> S next(Duration limit, Class<S> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            Said next = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new Failure(
                        ExitCode.FAILED, "the load generator said nothing for " + limit.toSeconds() + " s", null);
            }
            if (next instanceof Said.Ended) {
                throw ended();
            }
            if (wanted.isInstance(next)) {
                return wanted.cast(next);
            }
        }
    }

    private Failure ended() throws InterruptedException {
        complaints.join(1_000);
        String why = complaint;
        return new Failure(ExitCode.FAILED, "the load ended: " + (why == null ? "it did not say why" : why), null);
    }

    @Override
    public void close() {
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
    }
}
