package io.ringmaster.executor.archive;

import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a throwaway node until it serves, uses it a little, and has its JVM write down the classes it loaded when it ends in good
 * order. A file appears whole or not at all; two makers of the same archive only do the work twice.
 */
public final class ArchiveMaker {
    private static final Duration NORMAL_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration DUMP_TIMEOUT = Duration.ofMinutes(3);

    private final Installation installation;
    private final Path out;
    private final @Nullable Path executorOut;
    private final Consumer<String> progress;

    /** @param executorOut where to put the executor's own archive, or null for none */
    public ArchiveMaker(Installation installation, Path out, @Nullable Path executorOut, Consumer<String> progress) {
        this.installation = installation;
        this.out = out;
        this.executorOut = executorOut;
        this.progress = progress;
    }

    /** @throws IOException the node did not start or the JVM did not write the archive; nothing is left behind */
    public void make() throws IOException, InterruptedException {
        Path directory = out.toAbsolutePath().getParent();
        Files.createDirectories(directory);
        if (isMade()) {
            progress.accept("archive is there already: " + out);
        } else {
            makeIn(Files.createTempDirectory(directory, "making"));
        }
    }

    private boolean isMade() {
        return Files.exists(out) && (executorOut == null || Files.exists(executorOut));
    }

    private void makeIn(Path directory) throws IOException, InterruptedException {
        Instant begin = Instant.now();
        Path archive = directory.resolve("daemon.jsa");
        Path executorArchive = executorOut == null ? null : directory.resolve("executor.jsa");
        try (ThrowawayNode node = ThrowawayNode.start(installation, directory, archive, executorArchive)) {
            node.awaitNormal(NORMAL_TIMEOUT, progress);
            node.exercise();
            progress.accept("writing down the classes");
            node.endOrderly(DUMP_TIMEOUT);
            publish(archive, out);
            if (executorOut != null && executorArchive != null) {
                publish(executorArchive, executorOut);
            }
            progress.accept(
                    "archive made in " + Duration.between(begin, Instant.now()).toMillis() / 1000.0 + " s: " + out
                            + " (" + Files.size(out) / (1024 * 1024) + " MiB)");
        } finally {
            FileTree.delete(directory);
        }
    }

    private static void publish(Path archive, Path to) throws IOException {
        if (!Files.exists(archive)) {
            throw new IOException("the JVM ended without writing " + archive + "; see its output above");
        }
        Files.createDirectories(to.toAbsolutePath().getParent());
        Files.move(archive, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
