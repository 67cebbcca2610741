package io.ringmaster.lab.ring;

import io.ringmaster.host.FileTree;
import io.ringmaster.lab.machine.LogEnd;
import io.ringmaster.lab.machine.Processor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of a {@link StockRing}: a child of this process. */
public final class Node {
    private static final int SHOWN_LINES = 15;
    private static final long SIGNAL_MS = 2_000;
    private static final long END_S = 30;

    private final String name;
    private final String address;
    private final StockNode files;
    private final List<String> command;
    private final Optional<Caps> caps;
    private @Nullable Process process;
    private boolean killed;

    /** @param command the whole command, with what enters the control groups */
    Node(String name, String address, StockNode files, List<String> command, Optional<Caps> caps) {
        this.name = name;
        this.address = address;
        this.files = files;
        this.command = List.copyOf(command);
        this.caps = caps;
    }

    /**
     * Starts it, also after {@link #kill}: it keeps its data.
     *
     * @throws IllegalStateException it runs
     */
    public void start() throws IOException {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        killed = false;
        process = new ProcessBuilder(command)
                .directory(files.home().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(files.output().toFile())
                .start();
    }

    public String name() {
        return name;
    }

    public String address() {
        return address;
    }

    /** The limits of this node, which can be changed; empty for a ring without. */
    public Optional<Caps> caps() {
        return caps;
    }

    public Path systemLog() {
        return files.systemLog();
    }

    /** What {@link GcLog} reads. */
    public Path gcLog() {
        return files.home().resolve("gc.log");
    }

    /** @throws IOException the node has ended, and nobody killed it; the message has the end of its log */
    public long pid() throws IOException {
        return running().pid();
    }

    /**
     * Checks that it runs.
     *
     * @throws IOException the node has ended; the message has the end of its log
     */
    Process running() throws IOException {
        Process current = process;
        if (current != null && current.isAlive()) {
            return current;
        }
        if (current == null || killed) {
            throw new IOException(name + " does not run: it was " + (killed ? "killed" : "not started"));
        }
        throw new IOException(name + " ended with exit code " + current.exitValue() + ": "
                + LogEnd.of(SHOWN_LINES, files.output(), files.systemLog()));
    }

    /** Whether it sees this many nodes NORMAL, itself included. */
    boolean sees(int nodes) throws IOException {
        running();
        return Probe.normalNodes(address) >= nodes;
    }

    /** User and system time since its start, in seconds. */
    public double cpuSeconds() throws IOException {
        return Processor.seconds(pid());
    }

    /** What its compilers have used of {@link #cpuSeconds}. */
    public double compilerSeconds() throws IOException {
        return Processor.compilerSeconds(pid());
    }

    /** Resident memory. Of the files that several nodes map, each has its part. */
    public long residentBytes() throws IOException {
        return Processor.proportionalBytes(pid());
    }

    /** Seconds since its start, the clock of {@link #gcLog}; exact to a tenth. */
    public double uptimeSeconds() throws IOException {
        return Processor.uptimeSeconds() - Processor.startedAt(pid());
    }

    /** Stops all its threads (SIGSTOP). Returns when they stand still. */
    public void stall() throws IOException, InterruptedException {
        signal("STOP", true);
    }

    /** Ends {@link #stall} (SIGCONT). */
    public void resume() throws IOException, InterruptedException {
        signal("CONT", false);
    }

    /**
     * Stalls it for a while.
     *
     * @return the true length in seconds, exact to a few milliseconds
     */
    public double stallFor(Duration length) throws IOException, InterruptedException {
        stall();
        long begin = System.nanoTime();
        try {
            Thread.sleep(length.toMillis());
        } finally {
            resume();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void signal(String signal, boolean stopped) throws IOException, InterruptedException {
        long pid = pid();
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("SIG" + signal + " cannot be sent to " + name + " (pid " + pid + ")");
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SIGNAL_MS);
        while (Processor.isStopped(pid) != stopped) {
            if (System.nanoTime() > deadline) {
                throw new IOException(name + " does not follow SIG" + signal + " within " + SIGNAL_MS + " ms");
            }
            Thread.sleep(1);
        }
    }

    /** Ends it like a power failure (SIGKILL), stalled or not. Does nothing if it does not run. */
    public void kill() throws IOException, InterruptedException {
        killed = true;
        if (process != null && !process.destroyForcibly().waitFor(END_S, TimeUnit.SECONDS)) {
            throw new IOException(
                    name + " (pid " + Objects.requireNonNull(process).pid() + ") does not end");
        }
    }

    /** Removes its control groups and files. It must have ended. */
    void remove() throws IOException {
        if (caps.isPresent()) {
            caps.get().close();
        }
        FileTree.delete(files.home());
    }
}
