package io.ringmaster.server.read;

import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.ports.Leadership;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The leader of this datacenter, and whether this server leads with all records loaded. Passes elections to the
 * controller.
 */
public final class LeadershipState implements Leadership.Listener {
    private static final long CACHE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ControllerLoop loop;
    private final Leadership leadership;
    private final URI own;
    private final Lifecycle lifecycle;
    private volatile boolean elected;
    private long askedNanos = System.nanoTime() - CACHE_NANOS;
    private @Nullable URI leader;

    /** Work of the leader outside the controller. */
    public interface Lifecycle {
        void start(long epoch);

        void stop();
    }

    /** @param own this server's base URL */
    public LeadershipState(ControllerLoop loop, Leadership leadership, URI own, Lifecycle lifecycle) {
        this.loop = loop;
        this.leadership = leadership;
        this.own = own;
        this.lifecycle = lifecycle;
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

    public synchronized Optional<URI> leader() {
        if (elected) {
            return Optional.of(own);
        }
        // a lookup costs a round trip to the store, and every request of a standby needs it
        if (System.nanoTime() - askedNanos >= CACHE_NANOS) {
            leader = leadership.leaderUrl().map(URI::create).orElse(null);
            askedNanos = System.nanoTime();
        }
        return Optional.ofNullable(leader);
    }
}
