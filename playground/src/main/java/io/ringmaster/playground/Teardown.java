package io.ringmaster.playground;

import io.ringmaster.host.FileTree;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.playground.process.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Ends all processes of the playground, in an order in which nothing is started again. */
public final class Teardown {
    private static final Duration SERVER_GRACE = Duration.ofSeconds(10);
    private static final Duration EXECUTOR_GRACE = Duration.ofSeconds(5);
    /** Cassandra drains at SIGTERM; see Pool.kill. */
    private static final Duration DAEMON_GRACE = Duration.ofSeconds(60);

    private static final int ROUNDS = 5;

    private final Path directory;
    private final Path trust;

    public Teardown(Path home) {
        this.trust = home.resolve("trust");
        this.directory = PlaygroundState.directory(home);
    }

    /**
     * @param processes number of ended processes
     * @param dataKept whether volumes are left
     */
    public record Ended(int processes, boolean dataKept) {}

    /**
     * @param keepData whether Cassandra flushes and the volumes stay; otherwise everything is killed and deleted at
     *     once
     * @throws InterruptedException before the end; another run continues
     */
    public Ended run(boolean keepData) throws InterruptedException {
        int ended = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Processes.Own> all = Processes.below(directory);
            if (all.isEmpty()) {
                break;
            }
            ended += all.size();
            end(all, keepData);
        }
        List<Processes.Own> left = Processes.below(directory);
        if (!left.isEmpty()) {
            throw new IllegalStateException("these processes do not end: "
                    + left.stream().map(p -> p.main() + " " + p.mark().pid()).toList());
        }
        removeCgroups();
        removeNetwork();
        try {
            if (keepData) {
                for (Path server : serverDirectories()) {
                    FileTree.delete(MachinePlace.slowed(server)); // its control groups are gone
                }
            } else {
                forgetAuthorities();
                FileTree.delete(directory);
            }
            return new Ended(ended, keepData && Files.isDirectory(directory));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete below " + directory + ": " + ThrowableText.of(e), e);
        }
    }

    /** The CAs of the servers end with them: nobody shall trust them later. */
    private void forgetAuthorities() throws IOException {
        List<String> own = new ArrayList<>();
        for (Path server : serverDirectories()) {
            for (Path authority : files(server.resolve("authority"), "control.*.pem")) {
                own.add(text(authority));
            }
        }
        for (Path trusted : files(trust, "*.pem")) {
            String certificate = text(trusted).strip();
            if (!certificate.isEmpty() && own.stream().anyMatch(file -> file.contains(certificate))) {
                Files.deleteIfExists(trusted);
            }
        }
    }

    /** Empty if it cannot be read: then it is somebody else's. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Path> files(Path folder, String glob) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            List<Path> found = new ArrayList<>();
            files.forEach(found::add);
            return found;
        }
    }

    private void removeCgroups() throws InterruptedException {
        try {
            CgroupSweep.remove(serverDirectories());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the servers' directories below " + directory, e);
        }
    }

    private void removeNetwork() throws InterruptedException {
        try {
            NetworkDevices.remove(NetworkPlan.prefix(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(ThrowableText.of(e), e);
        }
    }

    private List<Path> serverDirectories() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    private static void end(List<Processes.Own> all, boolean gently) throws InterruptedException {
        List<ProcessIdentity> servers = marks(all, Set.of("server"));
        List<ProcessIdentity> executors = marks(all, Set.of("executor"));
        List<ProcessIdentity> others = all.stream()
                .map(Processes.Own::mark)
                .filter(m -> !servers.contains(m) && !executors.contains(m))
                .toList();
        if (gently) {
            Processes.end(servers, SERVER_GRACE);
            Processes.end(executors, EXECUTOR_GRACE);
            Processes.end(others, DAEMON_GRACE);
        } else {
            Processes.kill(servers);
            Processes.kill(executors);
            Processes.kill(others);
        }
    }

    private static List<ProcessIdentity> marks(List<Processes.Own> all, Set<String> parts) {
        return all.stream()
                .filter(p -> parts.contains(p.part()))
                .map(Processes.Own::mark)
                .toList();
    }
}
