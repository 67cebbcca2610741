package io.ringmaster.playground.process;

import io.ringmaster.host.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds and ends Ringmaster's own processes. */
public final class Processes {
    /** Set by the local pool for every process of an allocation. */
    private static final String ALLOCATION_MARK = "RINGMASTER_ALLOCATION=";

    private static final Duration POLL = Duration.ofMillis(50);

    private Processes() {}

    /**
     * A process of Ringmaster.
     *
     * @param main main class
     */
    public record Own(ProcessIdentity mark, String main) {
        /** The part of Ringmaster it belongs to: {@code server}, {@code executor}, {@code companion} or {@code wan}. */
        public String part() {
            return main.replace(".playground.", ".").split("\\.", -1)[2];
        }
    }

    /**
     * Processes that run one of Ringmaster's main classes and belong to {@code directory}: an argument names it or a
     * file below it, or the environment has the mark of an allocation below it. Needs no pid files.
     */
    public static List<Own> below(Path directory) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.map(p -> p.getFileName().toString())
                    .filter(n -> n.chars().allMatch(Character::isDigit))
                    .map(Long::parseLong)
                    .filter(pid -> pid != ProcessHandle.current().pid())
                    .flatMap(pid -> own(pid, directory).stream())
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot list processes", e);
        }
    }

    private static Optional<Own> own(long pid, Path directory) {
        Optional<ProcessIdentity> mark = ProcessIdentity.of(pid);
        List<String> arguments = strings(pid, "cmdline");
        Optional<String> main = arguments.stream()
                .filter(a -> a.matches("io\\.ringmaster\\.[a-z]+\\.[A-Za-z.]+"))
                .findFirst();
        boolean belongs = arguments.stream().anyMatch(a -> names(a, directory))
                || strings(pid, "environ").stream()
                        .anyMatch(v -> v.equals(ALLOCATION_MARK + directory)
                                || v.startsWith(ALLOCATION_MARK + directory + "/"));
        return belongs && mark.isPresent() ? main.map(m -> new Own(mark.get(), m)) : Optional.empty();
    }

    private static boolean names(String argument, Path directory) {
        String value = argument.substring(argument.indexOf('=') + 1);
        return Stream.of(argument, value)
                .anyMatch(v -> v.equals(directory.toString()) || v.startsWith(directory + "/"));
    }

    private static List<String> strings(long pid, String file) {
        try {
            byte[] raw = Files.readAllBytes(Path.of("/proc", Long.toString(pid), file));
            return Arrays.asList(new String(raw, StandardCharsets.UTF_8).split("\0", -1));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Sends SIGTERM, and SIGKILL after {@code grace}. Returns when none is left. */
    public static void end(List<ProcessIdentity> marks, Duration grace) throws InterruptedException {
        signal(marks, false);
        if (!await(marks, grace)) {
            kill(marks);
        }
    }

    /** Sends SIGKILL. */
    public static void kill(List<ProcessIdentity> marks) throws InterruptedException {
        signal(marks, true);
        await(marks, Duration.ofSeconds(10));
    }

    private static void signal(List<ProcessIdentity> marks, boolean force) {
        for (ProcessIdentity mark : marks) {
            Optional<ProcessHandle> handle = mark.isAlive() ? ProcessHandle.of(mark.pid()) : Optional.empty();
            handle.ifPresent(h -> signal(h, force));
        }
    }

    private static void signal(ProcessHandle handle, boolean force) {
        if (force) {
            handle.destroyForcibly();
        } else {
            handle.destroy();
        }
    }

    /** @return whether all ended in time */
    public static boolean await(List<ProcessIdentity> marks, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (marks.stream().anyMatch(ProcessIdentity::isAlive)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(POLL.toMillis());
        }
        return true;
    }
}
