package io.ringmaster.executor.configuration;

import io.ringmaster.host.LogLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file layout of one node under its allocation's directory.
 *
 * @param serverTrust the authorities of servers, which the pool lays down; null without TLS to executors
 */
public record NodeFiles(Path allocation, @Nullable Path serverTrust) {
    public NodeFiles(Path allocation) {
        this(allocation, null);
    }

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

    /** The output of the process: messages of the JVM, and of Cassandra before its log is open. */
    public Path daemonLog() {
        return logs().resolve("daemon.log");
    }

    /** What {@link #daemonLog} held before it was emptied, in the same run. */
    public Path earlierDaemonLog() {
        return LogLimit.copyOf(daemonLog());
    }

    /** {@link #daemonLog} of the run before. */
    public Path formerDaemonLog() {
        return logs().resolve("daemon.log.2");
    }

    /** {@link #earlierDaemonLog} of the run before. */
    public Path formerEarlierDaemonLog() {
        return logs().resolve("daemon.log.3");
    }

    public Path gcLog() {
        return logs().resolve("gc.log");
    }

    /** The server URLs for the seed provider, one per line; they change without a restart. */
    public Path seedServers() {
        return conf().resolve("seed-servers");
    }

    /** The content of {@link #seedServers}. */
    public String seedServers(List<String> urls) {
        boolean asksByTls = urls.stream().anyMatch(url -> url.startsWith("https:"));
        return (asksByTls && serverTrust != null ? "trust " + serverTrust + "\n" : "") + String.join("\n", urls) + "\n";
    }

    public Path seedCache() {
        return volume().resolve("seeds.json");
    }

    /** The outcome of the last task. */
    public Path task() {
        return volume().resolve("task.json");
    }

    /** The outcome of the last transfer. */
    public Path transfer() {
        return volume().resolve("transfer.json");
    }

    /** What the transfer program writes to its error output. */
    public Path transferLog() {
        return logs().resolve("transfer.log");
    }

    public Path socket() {
        return volume().resolve("mgmt.sock");
    }

    /** {@code <pid> <start ticks since boot> <boot id>}: the process writes it before it becomes Cassandra. */
    public Path daemonPid() {
        return volume().resolve("daemon.pid");
    }

    /** The state of the running daemon, for the executor that adopts it. */
    public Path daemonState() {
        return volume().resolve("daemon.json");
    }

    /** A second copy of {@link #daemonState}, for the case that it is damaged: nothing else holds all of it. */
    public Path daemonStateCopy() {
        return volume().resolve("daemon.json.copy");
    }

    public Path executorLock() {
        return allocation.resolve("executor.lock");
    }

    /** Keys and certificates. No backup holds them; a volume that is kept may, see docs/tls.md. */
    public Path identity() {
        return allocation.resolve("tls");
    }

    /** The key of the node and its certificate to other nodes. */
    public Path certificate() {
        return identity().resolve("node.pem");
    }

    /** The same key, its certificate to CQL clients and the authority of that. */
    public Path cqlCertificate() {
        return identity().resolve("cql.pem");
    }

    /** The authorities of the nodes that may talk to this one. */
    public Path internodeTrust() {
        return identity().resolve("internode-trust.pem");
    }

    public Path temporary() {
        return volume().resolve("tmp");
    }

    public Path directory(String name) {
        return volume().resolve(name);
    }

    /** Whether a Cassandra has run on the volume: the tables that it makes first are there. */
    public boolean holdsData() {
        return Files.isDirectory(directory("data").resolve("system"));
    }

    /** Exists while the RocksDB engine has tables. The engine creates and deletes it. */
    public Path tablesInRocksDB() {
        return directory("data").resolve("rocksdb.tables");
    }

    /** Creates missing directories, readable by the node's user only. */
    public void create() throws IOException {
        var own = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(volume(), own);
        for (Path directory : List.of(conf(), logs(), temporary())) {
            Files.createDirectories(directory, own);
        }
    }
}
