package io.ringmaster.server.read;

import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.model.error.Problem;
import io.ringmaster.ports.Leadership;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leader of this datacenter, and whether this server leads with all records loaded. Passes elections to the
 * controller.
 */
public final class LeadershipState implements Leadership.Listener {
    private static final long CACHE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Shorter than the time limits of health checks. */
    private static final long PATIENCE_MS = 500;

    private final ControllerLoop loop;
    private final Leadership leadership;
    private final URI own;
    private final Lifecycle lifecycle;
    private final Supplier<Optional<Problem>> storeTrouble;
    private volatile boolean elected;
    private @Nullable CompletableFuture<Optional<URI>> lookup;
    private volatile long doneNanos;
    private volatile Optional<URI> known = Optional.empty();

    /** Work of the leader outside the controller. */
    public interface Lifecycle {
        void start(long epoch);

        void stop();
    }

    /**
     * @param own this server's base URL
     * @param storeTrouble why the store does not work, where this server knows that
     */
    public LeadershipState(
            ControllerLoop loop,
            Leadership leadership,
            URI own,
            Lifecycle lifecycle,
            Supplier<Optional<Problem>> storeTrouble) {
        this.loop = loop;
        this.leadership = leadership;
        this.own = own;
        this.lifecycle = lifecycle;
        this.storeTrouble = storeTrouble;
    }

    /** Why this server's store does not work: nothing can be decided, and no leader be found. */
    public Optional<Problem> storeTrouble() {
        return storeTrouble.get();
    }

    @Override
    public void onElected(long epoch) {
        loop.onElected(epoch);
        elected = true;
        // after the controller, because a controller that does not lead drops facts
        lifecycle.start(epoch);
    }

    @Override
    public void onLost() {
        elected = false;
        loop.onLost();
        lifecycle.stop();
    }

    /** Whether this server leads and has loaded the records. */
    public boolean leads() {
        return elected && loop.informed();
    }

    /** The base URL of the leader if it is known and not this server. */
    public Optional<URI> otherLeader() {
        return leader().filter(url -> !url.equals(own));
    }

    /** The base URL of the leader; that of the last lookup while the store does not answer. */
    public Optional<URI> leader() {
        if (elected) {
            return Optional.of(own);
        }
        try {
            return lookup().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return known;
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking up the leader failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return known;
        }
    }

    /** One at a time, because a lookup waits for the store for seconds, and kept, because every request needs it. */
    private synchronized CompletableFuture<Optional<URI>> lookup() {
        CompletableFuture<Optional<URI>> last = lookup;
        if (last != null && (!last.isDone() || System.nanoTime() - doneNanos < CACHE_NANOS)) {
            return last;
        }
        CompletableFuture<Optional<URI>> next = CompletableFuture.supplyAsync(this::lookUp, LeadershipState::run);
        lookup = next;
        return next;
    }

    private Optional<URI> lookUp() {
        try {
            Optional<URI> found = leadership.leaderUrl().map(URI::create);
            known = found;
            return found;
        } finally {
            doneNanos = System.nanoTime();
        }
    }

    private static void run(Runnable task) {
        var thread = new Thread(task, "leader-lookup");
        thread.setDaemon(true);
        thread.start();
    }
}
