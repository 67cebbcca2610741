package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.picture.MesosResource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Operations for one allocation on offers, and what becomes of them. */
final class OfferOperations {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String FINISHED = "OPERATION_FINISHED";
    /** Trying again changes nothing. In all other states the operation may have been carried out, or still be. */
    private static final Set<String> REFUSED = Set.of("OPERATION_FAILED", "OPERATION_ERROR");
    /** What the master says of an offer that it took back before the answer arrived; nothing was carried out. */
    private static final String OFFER_IS_VOID = "no longer valid";

    private final AllocationId id;
    private final PoolParts pool;

    OfferOperations(AllocationId id, PoolParts pool) {
        this.id = id;
        this.pool = pool;
    }

    /** @param type RESERVE, UNRESERVE, CREATE or DESTROY */
    ObjectNode operation(String type, List<MesosResource> resources) {
        return TaskTemplate.operation(type, pool.newOperation(id), resources);
    }

    /** What an offer lacks, for people; empty if it suffices. */
    interface Fit {
        List<String> lacks(Offer offer);
    }

    /** Waits for an offer that suffices, which the caller must use. */
    Offer offer(MachineName machine, Fit fit) throws PostponedException, IOException, InterruptedException {
        AtomicReference<String> lack = new AtomicReference<>("waits for an offer of " + machine);
        return pool.offers()
                .take(
                        machine,
                        o -> {
                            List<String> lacks = fit.lacks(o);
                            lack.set("waits for " + machine + " to offer " + String.join(" and ", lacks));
                            return lacks.isEmpty();
                        },
                        pool.offerLimit())
                .orElseThrow(() -> new PostponedException(String.valueOf(lack.get())));
    }

    /** Accepts the offer, and waits for what becomes of each operation that gives feedback. */
    void carryOut(Offer offer, List<ObjectNode> operations)
            throws OperationRefusedException, PostponedException, IOException, InterruptedException {
        List<String> ids = operations.stream()
                .map(o -> o.path("id").path("value").asText())
                .filter(text -> !text.isEmpty())
                .toList();
        ids.forEach(pool.feedback()::expect);
        try {
            pool.calls().call(SchedulerCalls.accept(offer.id(), operations));
            for (String operation : ids) {
                requireFinished(offer, pool.feedback().await(operation, LIMIT));
            }
        } finally {
            ids.forEach(pool.feedback()::forget);
        }
    }

    private static void requireFinished(Offer offer, Optional<JsonNode> status)
            throws OperationRefusedException, PostponedException {
        String state = status.map(s -> s.path("state").asText()).orElse("OPERATION_PENDING");
        String message = status.map(s -> s.path("message").asText()).orElse("");
        String what = "what is reserved on " + offer.machine() + ": " + (state + " " + message).strip();
        if (REFUSED.contains(state) && !message.contains(OFFER_IS_VOID)) {
            throw new OperationRefusedException("Mesos refused to change " + what);
        }
        if (!state.equals(FINISHED)) {
            throw new PostponedException("Mesos has not changed yet " + what);
        }
    }
}
