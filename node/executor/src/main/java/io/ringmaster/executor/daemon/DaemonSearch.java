package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.host.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the daemon of a volume among all processes, whatever state its companion and its record are in. Each daemon
 * leads a session of its own, has the volume as its working directory, and the class of the companion in its command.
 */
final class DaemonSearch {
    /** Index of the session in {@code /proc/<pid>/stat}, after the name of the process. See proc(5). */
    private static final int SESSION = 3;

    private DaemonSearch() {}

    /** The daemon that runs on this volume, also while it is being started; empty if there is none. */
    static Optional<ProcessIdentity> on(Path volume) {
        if (!Files.isDirectory(volume)) {
            return Optional.empty();
        }
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .map(ProcessHandle::pid)
                    .filter(pid -> isDaemon(Path.of("/proc", Long.toString(pid)), pid, volume))
                    .flatMap(pid -> ProcessIdentity.of(pid).stream())
                    .findFirst();
        }
    }

    private static boolean isDaemon(Path process, long pid, Path volume) {
        try {
            return Files.isSameFile(process.resolve("cwd"), volume)
                    && session(process) == pid // a process that the daemon starts has its command for a moment
                    && Arrays.asList(arguments(process)).contains(Configurations.MAIN_CLASS);
        } catch (IOException e) {
            return false; // the process of another user, or it has ended
        }
    }

    private static long session(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[SESSION]);
    }

    /** All of them: the JDK's own list ends after 4 KiB, which the class path alone may fill. */
    private static String[] arguments(Path process) throws IOException {
        return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1).split("\0", -1);
    }
}
