package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.LogLimit;
import io.ringmaster.host.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of one allocation. They are found by their cgroup and by a mark in their environment, which every
 * child inherits, so that none is missed if this user cannot make cgroups.
 */
final class AllocationProcesses {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationProcesses.class);
    private static final String MARK = "RINGMASTER_ALLOCATION";
    /** Index of the session in {@code /proc/<pid>/stat}, after the name of the process. */
    private static final int SESSION = 3;

    private static final Set<String> KEPT_ENVIRONMENT =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "JAVA_HOME");
    private static final Duration EXECUTOR_TERM_LIMIT = Duration.ofSeconds(5);
    private static final Duration DAEMON_TERM_LIMIT = Duration.ofSeconds(30);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    /** An executor that runs keeps its log within the same limit; one that ends at each start does not get so far. */
    private static final long MAX_LOG_BYTES = 20L * 1024 * 1024;

    private static final long POLL_MS = 10;
    /** A scan of all processes costs more than a look at one. */
    private static final long SWEEP_EVERY_MS = 200;

    /**
     * Enters the cgroups and writes its identity before it becomes the executor, so that the executor is not lost if
     * the server dies in between. Arguments: directory of the allocation, number of cgroups, their cgroup.procs,
     * command.
     */
    private static final String START =
            """
            dir=$0; n=$1; shift
            while [ "$n" -gt 0 ]; do echo $$ > "$1" || echo "cannot enter cgroup $1"; shift; n=$((n - 1)); done
            ulimit -c 0; ulimit -n "$(ulimit -Hn)"
            read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ start _ < /proc/self/stat
            read -r boot < /proc/sys/kernel/random/boot_id
            echo "$$ $start $boot" > "$dir/executor.pid" && exec "$@"
            """;

    private final AllocationFolder folder;

    AllocationProcesses(AllocationFolder folder) {
        this.folder = folder;
    }

    /**
     * Starts the executor in a session of its own, so that a signal to the server does not reach it. On return its
     * identity is on disk, or it has ended.
     */
    Process start(List<String> command, List<Path> cgroups) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("setsid", "sh", "-c", START, folder.path().toString(), Integer.toString(cgroups.size())));
        cgroups.forEach(c -> all.add(c.resolve("cgroup.procs").toString()));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(folder.path().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.executorLog().toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(KEPT_ENVIRONMENT);
        environment.put(MARK, folder.path().toString());
        Files.deleteIfExists(folder.executorPid());
        LogLimit.keep(folder.executorLog(), MAX_LOG_BYTES);
        Process child = builder.start();
        if (!await(() -> !child.isAlive() || hasWrittenIdentity(), START_LIMIT, POLL_MS)) {
            child.destroyForcibly();
            throw new IOException("the executor was not started within " + START_LIMIT.toSeconds() + " s");
        }
        return child;
    }

    private boolean hasWrittenIdentity() {
        try {
            return folder.executor().isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder.executorPid(), e);
        }
    }

    /**
     * Ends the executor first, so that it restarts nothing, then all other processes. Cassandra gets 30 s to drain.
     *
     * @throws IOException a process does not end
     */
    void end() throws IOException, InterruptedException {
        Optional<ProcessIdentity> executor = folder.executor().filter(ProcessIdentity::isAlive);
        if (executor.isPresent()) {
            Set<Long> pid = Set.of(executor.get().pid());
            signal(pid, ProcessHandle::destroy);
            if (!await(() -> !executor.get().isAlive(), EXECUTOR_TERM_LIMIT, POLL_MS)) {
                signal(pid, ProcessHandle::destroyForcibly);
            }
        }
        signal(all(), ProcessHandle::destroy);
        if (await(() -> all().isEmpty(), DAEMON_TERM_LIMIT, SWEEP_EVERY_MS)) {
            Files.deleteIfExists(folder.executorPid());
        } else {
            endAtOnce();
        }
    }

    /** Ends all processes in good order, and takes their limits away. */
    void endAndRemoveCgroups() throws IOException, InterruptedException {
        end();
        Cgroups.remove(folder.cgroups());
    }

    /**
     * Kills all processes.
     *
     * @throws IOException a process does not end
     */
    void endAtOnce() throws IOException, InterruptedException {
        boolean ended = await(
                () -> {
                    signal(all(), ProcessHandle::destroyForcibly);
                    return all().isEmpty();
                },
                KILL_LIMIT,
                SWEEP_EVERY_MS);
        if (!ended) {
            throw new IOException("processes " + all() + " did not end within " + KILL_LIMIT.toSeconds() + " s");
        }
        Files.deleteIfExists(folder.executorPid());
    }

    private static void signal(Set<Long> pids, Consumer<ProcessHandle> action) {
        pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(action));
    }

    private static boolean await(BooleanSupplier holds, Duration limit, long everyMs) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(everyMs);
        }
        return true;
    }

    /**
     * The executor, also without a sound record of it, which is made again. Of the processes of an allocation only the
     * executor leads a session in the allocation's own directory.
     */
    Optional<ProcessIdentity> executor() throws IOException {
        Optional<ProcessIdentity> recorded = folder.executor();
        if (recorded.isPresent()) {
            return recorded;
        }
        for (long pid : all()) {
            Optional<ProcessIdentity> found = ProcessIdentity.of(pid);
            if (found.isPresent() && leadsSession(pid) && isIn(folder.path(), pid)) {
                LOG.warn("the executor {} in {} has no sound record, which is made again", pid, folder.path());
                DurableFiles.write(folder.executorPid(), found.get().text());
                return found;
            }
        }
        return Optional.empty();
    }

    private static boolean leadsSession(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.substring(stat.lastIndexOf(')') + 2)
                    .split(" ", -1)[SESSION]
                    .equals(Long.toString(pid));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isIn(Path directory, long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .equals(directory);
        } catch (IOException e) {
            return false;
        }
    }

    /** All running processes of this allocation. */
    Set<Long> all() {
        Set<Long> pids = new HashSet<>();
        try {
            pids.addAll(Cgroups.processes(folder.cgroups()));
            folder.executor().filter(ProcessIdentity::isAlive).ifPresent(e -> pids.add(e.pid()));
        } catch (IOException e) {
            // the marks below still find them
        }
        byte[] mark = (MARK + "=" + folder.path()).getBytes(StandardCharsets.UTF_8);
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            processes.map(ProcessHandle::pid).filter(pid -> isMarked(pid, mark)).forEach(pids::add);
        }
        pids.removeIf(pid -> ProcessIdentity.of(pid).isEmpty());
        return pids;
    }

    private static boolean isMarked(long pid, byte[] mark) {
        try {
            String environment = new String(
                    Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")), StandardCharsets.ISO_8859_1);
            String wanted = new String(mark, StandardCharsets.ISO_8859_1);
            return ("\0" + environment + "\0").contains("\0" + wanted + "\0");
        } catch (IOException e) {
            // the process of another user, or already gone
            return false;
        }
    }
}
