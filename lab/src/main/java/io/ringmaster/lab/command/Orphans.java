package io.ringmaster.lab.command;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.lab.machine.BandwidthSlice;
import io.ringmaster.lab.machine.Processor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a killed lab has left of its stock nodes: they would be measured beside the next run. */
final class Orphans {
    private static final String DAEMON = "org.apache.cassandra.service.CassandraDaemon";
    private static final String SCRIPT = "bench/engine/with-disk";
    private static final Duration CLEANING = Duration.ofSeconds(60);
    private static final String GROUPS = "ringmaster-lab-";

    private Orphans() {}

    /**
     * Ends benchmarks and nodes, removes empty control groups and restores the kernel's slice of a quota. Called under
     * the lock of the lab.
     *
     * @param work folder that all nodes of the lab are below
     */
    static void end(Path work) throws IOException {
        endScripts(work);
        for (long pid : Processor.running(DAEMON, work)) {
            ProcessHandle.of(pid).ifPresent(node -> {
                node.destroyForcibly();
                node.onExit().join();
            });
        }
        BandwidthSlice.restore(work);
        for (String controller : List.of("cpu", "memory")) {
            for (Path group : groups(controller)) {
                if (Files.readString(group.resolve("cgroup.procs")).isBlank()) {
                    Files.deleteIfExists(group);
                }
            }
        }
    }

    /** They remove their disk at SIGTERM. One that a person has started writes its results elsewhere. */
    private static void endScripts(Path work) {
        for (long pid : Processor.runningScript(SCRIPT, "RESULTS", work)) {
            ProcessHandle.of(pid).ifPresent(script -> {
                script.destroy();
                script.onExit()
                        .completeOnTimeout(script, CLEANING.toSeconds(), TimeUnit.SECONDS)
                        .join();
            });
        }
    }

    /** None where this user may make none. */
    private static List<Path> groups(String controller) {
        try (Stream<Path> found = Files.list(CgroupMounts.ofThisProcess().parent(controller))) {
            return found.filter(group -> group.getFileName().toString().startsWith(GROUPS))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
