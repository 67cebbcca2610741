package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offers that commands wait for. All others are declined at once, because an offer that is neither used nor
 * declined keeps its resources from every framework. While no command waits, offers are suppressed.
 */
public final class OfferBook {
    private static final Logger LOG = LoggerFactory.getLogger(OfferBook.class);
    /** Unless revived, which each command does that needs an offer. */
    private static final double REFUSE_S = 3600;
    /** An offer that lacks something is declined for this time; what it lacks may be given back meanwhile. */
    private static final double REFUSE_SHORTLY_S = 0.1;

    /** A suppression that was on its way is taken back by the next one. */
    private static final Duration REVIVE_EVERY = Duration.ofSeconds(2);

    private static final long UNFIT_PAUSE_MS = 200;

    private final MasterCalls calls;
    private final String role;
    private final Map<MachineName, Integer> wishes = new HashMap<>();
    private final Map<MachineName, Offer> held = new HashMap<>();
    private boolean suppressed;

    public OfferBook(MasterCalls calls, String role) {
        this.calls = calls;
        this.role = role;
    }

    /** A new subscription: earlier offers are void, and the role is not suppressed. */
    public synchronized void subscribed() {
        held.clear();
        suppressed = false;
        notifyAll();
    }

    /** The event OFFERS. */
    public void offered(JsonNode offers) {
        List<ObjectNode> answers = new ArrayList<>();
        synchronized (this) {
            for (JsonNode json : offers) {
                Optional<Offer> wanted =
                        Offer.of(json).filter(o -> wishes.containsKey(o.machine()) && !held.containsKey(o.machine()));
                wanted.ifPresentOrElse(
                        offer -> held.put(offer.machine(), offer),
                        () -> answers.add(SchedulerCalls.decline(Offer.id(json), REFUSE_S)));
            }
            if (wishes.isEmpty() && !suppressed) {
                suppressed = true;
                answers.add(SchedulerCalls.suppress(role));
            }
            notifyAll();
        }
        answers.forEach(this::send);
    }

    /** The event RESCIND. */
    public synchronized void rescinded(String offerId) {
        held.values().removeIf(offer -> offer.id().equals(offerId));
    }

    /**
     * Waits for an offer of a machine, which the caller must accept.
     *
     * @param fits offers that do not fit are declined
     * @return empty if none came within the limit
     */
    Optional<Offer> take(MachineName machine, Predicate<Offer> fits, Duration limit)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        wish(machine, 1);
        try {
            while (System.nanoTime() < end) {
                revive();
                Optional<Offer> offer = await(machine, Math.min(end, System.nanoTime() + REVIVE_EVERY.toNanos()));
                if (offer.filter(fits).isPresent()) {
                    return offer;
                }
                if (offer.isPresent()) {
                    calls.call(SchedulerCalls.decline(offer.get().id(), REFUSE_SHORTLY_S));
                    Thread.sleep(UNFIT_PAUSE_MS);
                }
            }
            return Optional.empty();
        } finally {
            wish(machine, -1);
        }
    }

    private void wish(MachineName machine, int change) {
        Offer left = null;
        synchronized (this) {
            if (wishes.merge(machine, change, Integer::sum) <= 0) {
                wishes.remove(machine);
                left = held.remove(machine);
            }
        }
        if (left != null) {
            send(SchedulerCalls.decline(left.id(), REFUSE_S));
        }
    }

    /** Also takes back what earlier answers refused. */
    private void revive() throws IOException, InterruptedException {
        synchronized (this) {
            suppressed = false;
        }
        calls.call(SchedulerCalls.revive());
    }

    private synchronized Optional<Offer> await(MachineName machine, long end) throws InterruptedException {
        while (true) {
            Offer offer = held.remove(machine);
            long leftMs = (end - System.nanoTime()) / 1_000_000;
            if (offer != null || leftMs <= 0) {
                return Optional.ofNullable(offer);
            }
            wait(leftMs);
        }
    }

    /** An answer that is lost ends the subscription, and every offer with it. */
    private void send(ObjectNode call) {
        try {
            calls.call(call);
        } catch (IOException e) {
            LOG.debug("an offer is not answered: {}", ThrowableText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
