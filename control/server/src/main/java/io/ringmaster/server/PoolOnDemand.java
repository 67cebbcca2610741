package io.ringmaster.server;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.SecretReader;
import io.ringmaster.ports.UnreadableSecretException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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

    private @Nullable Term term;
    private @Nullable Reports reports;
    private @Nullable String lastFailure;

    PoolOnDemand(Supplier<Pool> opener) {
        this.opener = opener;
        var unused = retries.scheduleWithFixedDelay(this::open, RETRY_S, RETRY_S, TimeUnit.SECONDS);
    }

    /** The time between a start and the next stop. */
    private record Term(FactSink facts, PoolRecords records) {}

    /** The reports of one opened pool. They end with its close, as a closing pool may still report for a moment. */
    private static final class Reports implements FactSink {
        private final FactSink facts;
        private boolean over;

        Reports(FactSink facts) {
            this.facts = facts;
        }

        @Override
        public synchronized void accept(Fact fact) {
            if (!over) {
                facts.accept(fact);
            }
        }

        synchronized void end() {
            over = true;
        }
    }

    @Override
    public synchronized void start(FactSink sink, PoolRecords records) {
        stop();
        term = new Term(sink, records);
        open();
    }

    /** Closes the pool, so that another leader can open it, until the next start. */
    synchronized void stop() {
        term = null;
        endReports();
        Pool open = pool;
        if (open != null) {
            pool = null;
            open.close();
        }
    }

    private void endReports() {
        if (reports != null) {
            reports.end();
            reports = null;
        }
    }

    @Override
    public void reserve(Command.Reserve command, long epoch) {
        use(p -> p.reserve(command, epoch));
    }

    @Override
    public void launch(Command.Launch command, long epoch) {
        use(p -> p.launch(command, epoch));
    }

    @Override
    public void relaunch(Command.Relaunch command, long epoch) {
        use(p -> p.relaunch(command, epoch));
    }

    @Override
    public void kill(Command.Kill command, long epoch) {
        use(p -> p.kill(command, epoch));
    }

    @Override
    public void release(Command.Release command, long epoch) {
        use(p -> p.release(command, epoch));
    }

    @Override
    public Optional<ExecutorAccess> access(AllocationId allocation) {
        Pool open = pool;
        return open == null ? Optional.empty() : open.access(allocation);
    }

    @Override
    public Optional<SecretReader> secrets() {
        Pool open = pool;
        return open == null ? Optional.of(PoolOnDemand::unread) : open.secrets();
    }

    private static Secret unread(ClusterName cluster, SecretKeyRef ref) throws UnreadableSecretException {
        throw new UnreadableSecretException(
                "Secret '" + ref.name() + "' cannot be read, because the pool of this server"
                        + " is not open now -> ringmaster machine list says why; try again after that");
    }

    @Override
    public void close() {
        retries.shutdownNow();
        stop();
    }

    private synchronized void open() {
        Term current = term;
        if (current == null || pool != null) {
            return;
        }
        // the pool before may have reported after this server forgot everything, with higher revisions
        current.facts().accept(new Fact.PoolUnavailable("the pool is being opened"));
        Pool opened = null;
        Reports from = new Reports(current.facts());
        try {
            opened = opener.get();
            reports = from;
            opened.start(from, current.records());
            pool = opened;
            lastFailure = null;
        } catch (RuntimeException e) {
            endReports();
            failed(current, ThrowableText.of(e));
            if (opened != null) {
                closeFailed(opened);
            }
        }
    }

    /** A failure here must not end the retries. */
    private static void closeFailed(Pool opened) {
        try {
            opened.close();
        } catch (RuntimeException e) {
            LOG.warn("a pool that could not be started cannot be closed: {}", ThrowableText.of(e));
        }
    }

    private void failed(Term current, String reason) {
        if (!reason.equals(lastFailure)) {
            LOG.error("the pool cannot be opened, next attempt in {} s: {}", RETRY_S, reason);
            lastFailure = reason;
        }
        current.facts().accept(new Fact.PoolUnavailable(reason));
    }

    /** Without the lock: opening may take seconds, and the controller must not wait for it. */
    private void use(Consumer<Pool> command) {
        Pool open = pool;
        if (open != null) {
            try {
                command.accept(open);
            } catch (RejectedExecutionException e) {
                LOG.debug("a command met a pool that was being closed; the next leader decides", e);
            }
        }
    }
}
