package io.ringmaster.executor.configuration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Where everything of one node lies, under its allocation's directory. */
public record NodeFiles(Path allocation) {
    public Path token() {
        return allocation.resolve("token");
    }

    public Path target() {
        return allocation.resolve("target.json");
    }

    public Path executorLog() {
        return allocation.resolve("executor.log");
    }

    public Path volume() {
        return allocation.resolve("volume");
    }

    public Path conf() {
        return volume().resolve("conf");
    }

    public Path logs() {
        return volume().resolve("logs");
    }

    /** Cassandra's own log. */
    public Path systemLog() {
        return logs().resolve("system.log");
    }

    /** What the process printed: the JVM's complaints, and Cassandra's before its log is open. */
    public Path daemonLog() {
        return logs().resolve("daemon.log");
    }

    public Path gcLog() {
        return logs().resolve("gc.log");
    }

    /** Server URLs for the seed provider, one a line: changed without a restart. */
    public Path seedServers() {
        return conf().resolve("seed-servers");
    }

    public Path seedCache() {
        return volume().resolve("seeds.json");
    }

    /** What came of the last task. */
    public Path task() {
        return volume().resolve("task.json");
    }

    public Path socket() {
        return volume().resolve("mgmt.sock");
    }

    /** {@code <pid> <start time in ticks since boot> <boot id>}: written by the process itself before it becomes Cassandra. */
    public Path daemonPid() {
        return volume().resolve("daemon.pid");
    }

    /** What the running daemon was started with; for the executor that adopts it. */
    public Path daemonState() {
        return volume().resolve("daemon.json");
    }

    public Path executorLock() {
        return allocation.resolve("executor.lock");
    }

    public Path temporary() {
        return volume().resolve("tmp");
    }

    public Path directory(String name) {
        return volume().resolve(name);
    }

    /** Makes what is missing; only the node's own user may look inside. */
    public void create() throws IOException {
        var own = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(volume(), own);
        for (Path directory : List.of(conf(), logs(), temporary())) {
            Files.createDirectories(directory, own);
        }
    }
}
