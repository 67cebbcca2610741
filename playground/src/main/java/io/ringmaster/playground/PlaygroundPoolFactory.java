package io.ringmaster.playground;

import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolFactory;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The pool of a playground's servers: the local pool with machines that can be killed. Takes the local pool's
 * settings.
 */
public final class PlaygroundPoolFactory implements PoolFactory {
    static final String NAME = "playground";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Supplier<Pool> configure(ConfigSection section, Path stateDirectory) {
        PoolFactory local = PoolFactory.all().get("local");
        if (local == null) {
            section.error("", "needs the local pool, which is not on the class path");
            return () -> {
                throw new IllegalStateException("there is no local pool");
            };
        }
        Supplier<Pool> opener = local.configure(section, stateDirectory);
        return () -> new FaultyLocalPool(opener.get(), stateDirectory);
    }
}
