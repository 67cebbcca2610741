package io.ringmaster.executor.container;

import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the processes whose parents ended, which the kernel gives to the first process of the container: what an
 * operator left in the background, what Cassandra had started when it was killed. The JVM waits only for processes that
 * it started itself, so the others would stay zombies and use up the container's process ids.
 *
 * <p>{@code wait} is not part of Java's API. The JDK's own method is used, which needs {@link #JVM_OPTION}. For a
 * process that the JVM started, it answers with the wait that is already in progress.
 */
final class OrphanReaper {
    static final String JVM_OPTION = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    private static final long FIRST_PROCESS = 1;
    private static final Path PROCESSES = Path.of("/proc");

    private final Method completion;

    /** @throws IllegalStateException the JVM lacks {@link #JVM_OPTION} */
    OrphanReaper() {
        try {
            completion = Class.forName("java.lang.ProcessHandleImpl")
                    .getDeclaredMethod("completion", long.class, boolean.class);
            completion.setAccessible(true);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new IllegalStateException(
                    "orphaned processes stay zombies -> start the executor with " + JVM_OPTION, e);
        }
    }

    static boolean isNeeded() {
        return ProcessHandle.current().pid() == FIRST_PROCESS;
    }

    void reap() throws IOException, InterruptedException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                if (isOrphanedZombie(process)) {
                    reap(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** See proc(5): the fields after the name are the state and the parent. */
    private static boolean isOrphanedZombie(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).startsWith("Z " + FIRST_PROCESS + " ");
        } catch (IOException e) {
            return false; // has ended
        }
    }

    private void reap(long pid) throws IOException, InterruptedException {
        try {
            ((Future<?>) completion.invoke(null, pid, true)).get(1, TimeUnit.SECONDS);
        } catch (ReflectiveOperationException | ExecutionException | TimeoutException e) {
            throw new IOException("cannot reap the process " + pid, e);
        }
    }
}
