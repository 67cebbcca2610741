package io.ringmaster.executor.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.RotatingFile;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running transfer program. It gets its request as the first line of its input, which stays open as long as the
 * executor lives: at its end the program halts. Each line of its output is a {@link TaskStatus}.
 */
final class TransferProcess {
    private static final Duration TERM_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LAST_LINES_TIMEOUT = Duration.ofSeconds(1);
    private static final long MAX_LOG_BYTES = 10L * 1024 * 1024;

    private final NodeTask task;
    private final Process process;
    private final RotatingFile log;
    private final Runnable changed;
    private final List<Thread> readers;
    private volatile @Nullable TaskStatus last;
    private volatile String lastError = "";
    private long killAtNanos;
    private boolean terminated;

    private TransferProcess(NodeTask task, Process process, NodeFiles files, String request, Runnable changed) {
        this.task = task;
        this.process = process;
        this.log = new RotatingFile(files.transferLog(), MAX_LOG_BYTES);
        this.changed = changed;
        this.readers =
                List.of(new Thread(() -> talk(request), "transfer"), new Thread(this::keepErrors, "transfer-log"));
        for (Thread thread : readers) {
            thread.setDaemon(true);
            thread.start();
        }
        var unused = process.onExit().thenRun(changed);
    }

    /** @param changed runs when the program has reported the end of the task, and when it has ended */
    static TransferProcess start(NodeTask task, List<String> command, NodeFiles files, String request, Runnable changed)
            throws IOException {
        Process process =
                new ProcessBuilder(command).directory(files.volume().toFile()).start();
        return new TransferProcess(task, process, files, request, changed);
    }

    NodeTask task() {
        return task;
    }

    long pid() {
        return process.pid();
    }

    /** The last report; null before the first. After one that is over, others do not count. */
    @Nullable
    TaskStatus last() {
        return last;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the last lines of a program that has ended. */
    void join() {
        try {
            for (Thread thread : readers) {
                thread.join(LAST_LINES_TIMEOUT.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How a program ended that has ended: {@code exit code 1: out of memory}. */
    String end() {
        return "exit code " + process.exitValue() + (lastError.isBlank() ? "" : ": " + lastError);
    }

    /** Ends the program: TERM at the first call, KILL at one that comes more than five seconds later. */
    void stop() {
        if (!terminated) {
            terminated = true;
            killAtNanos = System.nanoTime() + TERM_TIMEOUT.toNanos();
            process.destroy();
        } else if (System.nanoTime() - killAtNanos > 0) {
            process.destroyForcibly();
        }
    }

    private void talk(String request) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            OutputStream input = process.getOutputStream();
            input.write((request + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            // the program has ended: its exit code says more
        }
    }

    private void take(String line) {
        TaskStatus before = last;
        try {
            TaskStatus next = Json.mapper().readValue(line, TaskStatus.class);
            if (next == null || next.state() == null) {
                write("no status: " + line);
                return;
            }
            if (!task.id().equals(next.id())
                    || (before != null && before.state().isOver())) {
                return;
            }
            last = next;
            if (next.state().isOver()) {
                changed.run();
            }
        } catch (JsonProcessingException e) {
            write("no status: " + line);
        }
    }

    private void keepErrors() {
        try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                write(line);
                lastError = line.isBlank() ? lastError : line.strip();
            }
        } catch (IOException e) {
            write("the log ends: " + e);
        }
    }

    private void write(String line) {
        log.append(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + task.id() + " " + line + "\n");
    }
}
