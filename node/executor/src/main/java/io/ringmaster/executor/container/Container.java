package io.ringmaster.executor.container;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.supervisor.Supervisor;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What an executor does beside its supervisor when it is the main process of a container. */
public final class Container {
    /** For the JVM of such an executor, beside its other options. */
    public static final List<String> JVM_OPTIONS = List.of(OrphanReaper.JVM_OPTION);

    /** One action of the loop and an ordered shutdown: drain 60 s, TERM 30 s, KILL 10 s. */
    private static final Duration LOOP_LIMIT = Duration.ofSeconds(112);
    /** A pod's grace period must be longer. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final Duration REAP_EVERY = Duration.ofSeconds(10);

    private Container() {}

    /** Before the first line of the log that {@code node logs --file executor} should show. */
    public static void keepLog(NodeFiles files) {
        Log.alsoTo(files.executorLog());
    }

    /**
     * To be called before the loop starts. From then on SIGTERM ends the daemon and this process, with exit code 0, or
     * 1 if the daemon could not be ended.
     *
     * @param loop the thread of the supervisor
     */
    public static void run(NodeFiles files, Supervisor supervisor, Thread loop) throws IOException {
        LogCopier logs = new LogCopier(List.of(files.systemLog(), files.daemonLog()), System.out);
        daemonThread(logs, "log copier").start();
        ContainerEnd end = new ContainerEnd(files, supervisor, loop, LOOP_LIMIT, LIMIT);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(end, logs), "container end"));
        if (OrphanReaper.isNeeded()) {
            reapOrphans();
        }
    }

    private static void end(ContainerEnd end, LogCopier logs) {
        int exitCode = 1;
        try {
            Log.info("the container ends");
            exitCode = end.run() ? 0 : 1;
            logs.close();
            Log.info("the executor ends with exit code " + exitCode);
        } catch (IOException | InterruptedException | RuntimeException e) {
            Log.error("cannot end the daemon", e);
        } finally {
            Runtime.getRuntime().halt(exitCode); // the JVM's own exit code after SIGTERM is 143
        }
    }

    private static void reapOrphans() {
        OrphanReaper reaper;
        try {
            reaper = new OrphanReaper();
        } catch (IllegalStateException e) {
            Log.info(ThrowableText.of(e));
            return;
        }
        ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(task -> daemonThread(task, "orphan reaper"));
        var unused = timer.scheduleWithFixedDelay(
                () -> reap(reaper), REAP_EVERY.toSeconds(), REAP_EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private static void reap(OrphanReaper reaper) {
        try {
            reaper.reap();
        } catch (IOException | RuntimeException e) {
            Log.info("cannot reap orphaned processes: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemonThread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
