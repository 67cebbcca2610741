package io.ringmaster.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** What one run of an experiment is given. What was opened here is closed in reverse order, also after Ctrl-C. */
public final class Bench implements AutoCloseable {
    private final Path root;
    private final Path work;
    private final Path results;
    private final Consumer<String> progress;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final long begin = System.nanoTime();
    private boolean closed;

    /**
     * @param root folder of the checkout
     * @param work folder of this run's files; it must be empty
     * @param results folder of the logs that go beside the result
     * @param progress where lines for the user go
     */
    public Bench(Path root, Path work, Path results, Consumer<String> progress) {
        this.root = root;
        this.work = work;
        this.results = results;
        this.progress = progress;
    }

    public Path root() {
        return root;
    }

    /** A folder below that of this run, created. */
    public Path folder(String name) throws IOException {
        return Files.createDirectories(work.resolve(name));
    }

    public Path work() {
        return work;
    }

    /** Folder of the logs that go beside the result, if the run succeeds. */
    public Path results() {
        return results;
    }

    /** Seconds since the run started. */
    public double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** A line about progress, for the user. */
    public void say(String line) {
        progress.accept(line);
    }

    /** Closes it at the end of the run, whatever happens. */
    public synchronized <T extends AutoCloseable> T closing(T resource) {
        if (closed) {
            close(resource);
            throw new IllegalStateException("the run is over");
        }
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            close(open.pop());
        }
    }

    private void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            progress.accept("cannot clean up " + resource + ": " + e.getMessage());
        }
    }
}
