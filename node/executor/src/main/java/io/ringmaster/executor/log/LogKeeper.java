package io.ringmaster.executor.log;

import io.ringmaster.host.LogLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Keeps logs that processes append to within a limit, on a thread of its own. */
public final class LogKeeper implements Runnable {
    private static final long MAX_BYTES = 20L * 1024 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final List<Path> logs;

    private LogKeeper(List<Path> logs) {
        this.logs = logs;
    }

    /** Returns once each log is within the limit; the thread ends with the process. */
    public static void start(List<Path> logs) {
        LogKeeper keeper = new LogKeeper(logs);
        keeper.look();
        Thread thread = new Thread(keeper, "log keeper");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(PAUSE.toMillis());
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        for (Path log : logs) {
            try {
                LogLimit.keep(log, MAX_BYTES);
            } catch (IOException | RuntimeException e) {
                Log.info("cannot shorten " + log + ": " + e);
            }
        }
    }
}
