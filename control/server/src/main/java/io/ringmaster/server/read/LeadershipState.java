package io.ringmaster.server.read;

import io.ringmaster.controller.ControllerLoop;
import io.ringmaster.ports.Leadership;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Who leads this datacenter, and whether it is this server, ready with all records loaded. Hands elections on to the controller. */
public final class LeadershipState implements Leadership.Listener {
    private static final long REMEMBER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ControllerLoop loop;
    private final Leadership leadership;
    private final URI own;
    private final Duties duties;
    private volatile boolean elected;
    private long askedNanos = System.nanoTime() - REMEMBER_NANOS;
    private @Nullable URI leader;

    /** What begins and ends with the lead, beside the controller. */
    public interface Duties {
        void begin();

        void end();
    }

    /** @param own this server's base URL */
    public LeadershipState(ControllerLoop loop, Leadership leadership, URI own, Duties duties) {
        this.loop = loop;
        this.leadership = leadership;
        this.own = own;
        this.duties = duties;
    }

    @Override
    public void onElected(long epoch) {
        loop.onElected(epoch);
        elected = true;
        // after the controller has heard of it: what a controller that does not lead is told is lost
        duties.begin();
    }

    @Override
    public void onLost() {
        elected = false;
        loop.onLost();
        duties.end();
    }

    /** Whether this server leads and has loaded the records. */
    public boolean leads() {
        return elected && loop.informed();
    }

    /** The base URL of the leader when it is known and another server. */
    public Optional<URI> otherLeader() {
        return leader().filter(url -> !url.equals(own));
    }

    public synchronized Optional<URI> leader() {
        if (elected) {
            return Optional.of(own);
        }
        // asking costs a round trip to the store, and every request of a standby asks
        if (System.nanoTime() - askedNanos >= REMEMBER_NANOS) {
            leader = leadership.leaderUrl().map(URI::create).orElse(null);
            askedNanos = System.nanoTime();
        }
        return Optional.ofNullable(leader);
    }
}
