package io.ringmaster.server;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool that is open only while its server leads, because only the leader of the servers that share a pool may hold
 * it. While the pool cannot be opened, commands are dropped, because the controller sends them again, and the reason is
 * reported.
 */
final class PoolOnDemand implements Pool {
    private static final Logger LOG = LoggerFactory.getLogger(PoolOnDemand.class);
    private static final long RETRY_S = 2;

    private final Supplier<Pool> opener;
    private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "pool");
        thread.setDaemon(true);
        return thread;
    });
    /** Read without the lock by {@link #access}, which must not wait while the pool opens. */
    private volatile @Nullable Pool pool;

    private @Nullable FactSink facts;
    private @Nullable String lastFailure;

    PoolOnDemand(Supplier<Pool> opener) {
        this.opener = opener;
        var unused = retries.scheduleWithFixedDelay(this::open, RETRY_S, RETRY_S, TimeUnit.SECONDS);
    }

    @Override
    public synchronized void start(FactSink sink) {
        facts = sink;
        open();
    }

    /** Closes the pool, so that another leader can open it, until the next start. */
    synchronized void stop() {
        facts = null;
        Pool open = pool;
        if (open != null) {
            pool = null;
            open.close();
        }
    }

    @Override
    public void reserve(Command.Reserve command) {
        use(p -> p.reserve(command));
    }

    @Override
    public void launch(Command.Launch command) {
        use(p -> p.launch(command));
    }

    @Override
    public void kill(Command.Kill command) {
        use(p -> p.kill(command));
    }

    @Override
    public void release(Command.Release command) {
        use(p -> p.release(command));
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId allocation) {
        Pool open = pool;
        return open == null ? Optional.empty() : open.access(allocation);
    }

    @Override
    public void close() {
        retries.shutdownNow();
        stop();
    }

    private synchronized void open() {
        if (facts == null || pool != null) {
            return;
        }
        try {
            Pool opened = opener.get();
            opened.start(facts);
            pool = opened;
            lastFailure = null;
        } catch (RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(lastFailure)) {
                LOG.error("the pool cannot be opened, next attempt in {} s: {}", RETRY_S, reason);
                lastFailure = reason;
            }
            facts.accept(new Fact.PoolUnavailable(reason));
        }
    }

    private synchronized void use(Consumer<Pool> command) {
        Pool open = pool;
        if (open != null) {
            command.accept(open);
        }
    }
}
