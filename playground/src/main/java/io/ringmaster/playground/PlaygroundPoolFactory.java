package io.ringmaster.playground;

import io.ringmaster.playground.loopback.HeldSockets;
import io.ringmaster.ports.ConfigSection;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContext;
import io.ringmaster.ports.PoolFactory;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The pool of a playground's servers: the local pool with machines that can be killed. Takes the local pool's
 * settings, and {@code hold}: the address at which the server holds the playground's block of loopback addresses.
 */
public final class PlaygroundPoolFactory implements PoolFactory {
    static final String NAME = "playground";
    static final String HOLD = "hold";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Supplier<Pool> configure(PoolContext context, ConfigSection section) {
        PoolFactory local = PoolFactory.all().get("local");
        if (local == null) {
            section.error("", "needs the local pool, which is not on the class path");
            return () -> {
                throw new IllegalStateException("there is no local pool");
            };
        }
        Optional<String> hold = section.optional(HOLD, "an IP address", ConfigSection::ip);
        Supplier<Pool> opener = local.configure(context, section);
        var held = new HeldSockets();
        return () -> {
            hold.ifPresent(address -> hold(address, held));
            return new FaultyLocalPool(opener.get(), context.stateDirectory());
        };
    }

    /** Until this process ends: the pool closes whenever this server stops leading, but nodes may start again. */
    private static void hold(String address, HeldSockets held) {
        if (!held.server(address)) {
            throw new IllegalStateException(
                    "another process holds the loopback addresses of this playground: " + address + " is taken");
        }
    }
}
