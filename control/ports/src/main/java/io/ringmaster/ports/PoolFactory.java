package io.ringmaster.ports;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A kind of pool. A server finds the factories on its class path with {@link ServiceLoader}, so that a new kind of
 * pool needs no change in the server; its configuration names one of them: {@code pool: {local: {...}}}.
 */
public interface PoolFactory {
    /** The key of its section in the server's configuration, such as {@code local}. */
    String name();

    /**
     * Reads the pool's section. Does nothing else: a server that stands by never opens its pool.
     *
     * @param section receives every error; the result is not used if there is any
     * @return opens the pool, each time that the server starts to lead; throws a {@link RuntimeException} with the
     *     reason if the pool cannot be used now
     */
    Supplier<Pool> configure(PoolContext context, ConfigSection section);

    /** All factories on the class path, by name. */
    static Map<String, PoolFactory> all() {
        Map<String, PoolFactory> factories = new TreeMap<>();
        ServiceLoader.load(PoolFactory.class).forEach(factory -> factories.put(factory.name(), factory));
        return factories;
    }
}
