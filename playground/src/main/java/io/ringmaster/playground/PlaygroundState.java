package io.ringmaster.playground;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.playground.doctor.Demand;
import io.ringmaster.playground.process.ProcessIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a playground, in {@code playground.json}, so that another run of the command finds it.
 *
 * @param cluster the cluster it was made for
 * @param keepData its data outlive it
 * @param owner the command that runs in the foreground and cleans up when it ends; null when detached
 * @param wan the network between its datacenters; null when all is on loopback
 */
public record PlaygroundState(
        String cluster,
        Demand size,
        boolean keepData,
        @JsonIgnoreProperties("alive") @Nullable ProcessIdentity owner,
        List<Server> servers,
        @Nullable WanOptions wan) {

    /** One datacenter's server. */
    public record Server(String datacenter, String url, @JsonIgnoreProperties("alive") ProcessIdentity process) {}

    public PlaygroundState {
        servers = List.copyOf(servers);
    }

    public static Path directory(Path home) {
        return home.resolve("playground");
    }

    private static Path file(Path home) {
        return directory(home).resolve("playground.json");
    }

    /** Nothing when there is no playground, running or kept. */
    public static Optional<PlaygroundState> read(Path home) {
        try {
            return Files.exists(file(home))
                    ? Optional.of(Json.parse(Files.readAllBytes(file(home)), PlaygroundState.class))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file(home), e);
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

    /** Base URLs of the servers; none once it was stopped, even when its data were kept. */
    public static List<String> urls(Path home) {
        return read(home).map(PlaygroundState::servers).orElse(List.of()).stream()
                .map(Server::url)
                .toList();
    }

    @JsonIgnore
    public boolean ownerIsAlive() {
        return owner != null && owner.isAlive();
    }

    public PlaygroundState withServers(List<Server> newServers) {
        return new PlaygroundState(cluster, size, keepData, owner, newServers, wan);
    }

    public PlaygroundState withoutOwner() {
        return new PlaygroundState(cluster, size, keepData, null, servers, wan);
    }

    public PlaygroundState keeping(boolean keep) {
        return new PlaygroundState(cluster, size, keep, owner, servers, wan);
    }
}
