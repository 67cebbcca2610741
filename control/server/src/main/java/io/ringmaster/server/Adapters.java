package io.ringmaster.server;

import io.ringmaster.model.error.Problem;
import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import io.ringmaster.server.config.ServerConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The implementations of the ports that a server runs on.
 *
 * @param pool opens the pool, each time that this server starts to lead
 * @param storeTrouble why the store does not work, where this server knows that; empty while it works
 * @param beneath used by the others and closed after them, in reverse order
 */
public record Adapters(
        Store store,
        Leadership leadership,
        Supplier<Pool> pool,
        Supplier<Optional<Problem>> storeTrouble,
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
