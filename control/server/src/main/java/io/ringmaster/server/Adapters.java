package io.ringmaster.server;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import io.ringmaster.server.config.ServerConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a server stands on.
 *
 * @param pool opens it, each time that this server begins to lead
 * @param executorTokens the bearer token of an allocation's executor, once there is one
 * @param beneath what the others use, closed after them, the first first
 */
public record Adapters(
        Store store,
        Leadership leadership,
        Supplier<Pool> pool,
        Function<AllocationId, Optional<String>> executorTokens,
        List<AutoCloseable> beneath) {
    public Adapters {
        beneath = List.copyOf(beneath);
    }

    /** Opens them for a server. */
    @FunctionalInterface
    public interface Opener {
        /** @throws IOException naming what cannot be used */
        Adapters open(ServerConfig config) throws IOException;
    }
}
