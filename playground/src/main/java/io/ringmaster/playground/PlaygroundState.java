package io.ringmaster.playground;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.loopback.LoopbackBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of a playground in {@code playground.json}, for later runs of the command.
 *
 * @param cluster name of its cluster
 * @param keepData whether its data stay when it stops
 * @param owner command in the foreground that cleans up at its end; null when detached
 * @param movingAddresses whether each launch of a node gets another address
 * @param block number of its block of loopback addresses; unused when it has a {@code wan}
 * @param tls whether everything talks by TLS
 * @param wan network between its datacenters; null when all is on loopback
 */
public record PlaygroundState(
        String cluster,
        Demand size,
        boolean keepData,
        @JsonIgnoreProperties("alive") @Nullable ProcessIdentity owner,
        List<Server> servers,
        boolean movingAddresses,
        int block,
        boolean tls,
        @Nullable WanOptions wan) {
    /** One datacenter's server. */
    public record Server(String datacenter, String url, @JsonIgnoreProperties("alive") ProcessIdentity process) {}

    public PlaygroundState {
        servers = List.copyOf(servers);
        block = block == 0 ? LoopbackBlock.FIRST.number() : block; // earlier versions knew no other and stored none
    }

    public static Path directory(Path home) {
        return home.resolve("playground");
    }

    private static Path file(Path home) {
        return directory(home).resolve("playground.json");
    }

    /**
     * Empty when no playground runs and none left its data.
     *
     * @throws Failure the file is damaged
     */
    public static Optional<PlaygroundState> read(Path home) {
        try {
            return Files.exists(file(home))
                    ? Optional.of(Json.parse(Files.readAllBytes(file(home)), PlaygroundState.class))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file(home), e);
        } catch (RuntimeException e) {
            // damaged, or a state that this version refuses
            throw new Failure(
                    ExitCode.FAILED,
                    file(home) + " is damaged",
                    "remove it; " + PROGRAM + " playground down then ends what runs, and deletes the data");
        }
    }

    public void write(Path home) {
        try {
            Files.createDirectories(directory(home));
            DurableFiles.write(file(home), Json.bytes(this));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file(home), e);
        }
    }

    /** Base URLs of the servers; empty once it has stopped, also with kept data. */
    public static List<String> urls(Path home) {
        return read(home).map(PlaygroundState::servers).orElse(List.of()).stream()
                .map(Server::url)
                .toList();
    }

    @JsonIgnore
    public boolean ownerIsAlive() {
        return owner != null && owner.isAlive();
    }

    public LoopbackBlock loopback() {
        return new LoopbackBlock(block, movingAddresses);
    }

    public PlaygroundState withServers(List<Server> newServers) {
        return new PlaygroundState(cluster, size, keepData, owner, newServers, movingAddresses, block, tls, wan);
    }

    public PlaygroundState withoutOwner() {
        return new PlaygroundState(cluster, size, keepData, null, servers, movingAddresses, block, tls, wan);
    }

    public PlaygroundState keeping(boolean keep) {
        return new PlaygroundState(cluster, size, keep, owner, servers, movingAddresses, block, tls, wan);
    }
}
