package io.ringmaster.integration.contract;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.executor.api.AccessToken;
import io.ringmaster.executor.api.Door;
import io.ringmaster.executor.api.ExecutorApi;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.ExecutorClientContract;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.wire.node.HttpExecutorClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The server's client and the executor's own API and targets, over HTTP; a daemon is reported, but none runs. */
class ExecutorApiContractTest extends ExecutorClientContract {
    private static final HttpExecutorClient.Timing QUICK = new HttpExecutorClient.Timing(
            Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofMillis(100));

    private record Running(HttpServer server, TargetStore targets) {}

    @TempDir
    Path directory;

    private final Map<AllocationId, Running> executors = new TreeMap<>();
    private final Map<AllocationId, ExecutorAccess> accesses = new ConcurrentHashMap<>();

    @AfterEach
    void stopExecutors() {
        executors.values().forEach(e -> e.server.stop(0));
    }

    Authorities authorities() {
        return new FakeAuthorities(SampleRecords.DC1);
    }

    /** The door of this executor; null for http. */
    @Nullable
    Door door(Allocation allocation, NodeFiles files) throws IOException {
        return null;
    }

    @Override
    protected ExecutorClient open() {
        return new HttpExecutorClient(
                id -> Optional.ofNullable(accesses.get(id)),
                authorities(),
                RolePasswords.NONE,
                SampleRecords.DC1,
                Instant::now,
                QUICK);
    }

    @Override
    protected void startExecutor(Allocation allocation, NodeTarget first) {
        try {
            NodeFiles files = new NodeFiles(directory.resolve(allocation.id().value()));
            files.create();
            Files.writeString(files.token(), "secret\n");
            Files.write(files.target(), Json.bytes(first));
            StatusBoard board = new StatusBoard(status(first));
            AtomicReference<TargetStore> taken = new AtomicReference<>();
            TargetStore targets = new TargetStore(
                    files,
                    first.node(),
                    () -> board.post(status(taken.get().current().orElseThrow())));
            taken.set(targets);
            Door door = door(allocation, files);
            HttpServer server = ExecutorApi.open(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), allocation.ports().executor()),
                    AccessToken.ofAllocation(files.token()),
                    door,
                    files,
                    board,
                    targets,
                    new NodeIdentity(files, first.node(), () -> {}),
                    new CompanionClient(files.socket()));
            executors.put(allocation.id(), new Running(server, targets));
            int port = allocation.ports().executor();
            accesses.put(
                    allocation.id(),
                    door == null
                            ? ExecutorAccess.http(ADDRESS, port, "secret")
                            : ExecutorAccess.https(ADDRESS, port, "secret", allocation.id()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void stopExecutor(Allocation allocation) {
        executors.remove(allocation.id()).server.stop(0);
    }

    @Override
    protected NodeTarget targetInForce(Allocation allocation) {
        return executors.get(allocation.id()).targets.current().orElseThrow();
    }

    private static NodeStatus status(NodeTarget target) {
        return new NodeStatus(
                target.node(),
                target.generation(),
                0,
                0,
                OperatingMode.NORMAL,
                "serves",
                Instant.EPOCH,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
    }
}
