package io.ringmaster.executor.container;

import io.ringmaster.executor.log.Log;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Copies the new lines of log files to a container's standard output. Both must stay whole: each write is some whole
 * lines, as a line of the executor is.
 */
final class LogCopier implements Runnable {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(30);
    private static final Duration LAST_COPY = Duration.ofSeconds(3);

    private final List<FollowedFile> files = new ArrayList<>();
    private final PrintStream out;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    LogCopier(List<Path> paths, PrintStream out) throws IOException {
        for (Path path : paths) {
            files.add(new FollowedFile(path));
        }
        this.out = out;
    }

    @Override
    public void run() {
        try {
            Duration pause = PAUSE;
            while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = copied() ? PAUSE : PAUSE_AFTER_FAILURE;
            }
            copied();
            for (FollowedFile file : files) {
                file.endLine(out);
                file.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            Log.error("cannot copy the last log lines", e);
        } finally {
            out.flush();
            closed.countDown();
        }
    }

    private boolean copied() {
        boolean success = true;
        for (FollowedFile file : files) {
            try {
                file.copyTo(out);
            } catch (IOException e) {
                Log.info("cannot copy log lines: " + e);
                success = false;
            }
        }
        out.flush();
        return success;
    }

    /** Copies what the files hold now and ends; a reader that takes no more lines does not delay it for long. */
    void close() {
        closing.countDown();
        try {
            var unused = closed.await(LAST_COPY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
