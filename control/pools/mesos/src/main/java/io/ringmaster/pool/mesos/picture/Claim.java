package io.ringmaster.pool.mesos.picture;

import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.RackName;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/**
 * What the label {@code claim} of a reservation or a task says: all that must be durable about an allocation. Labels
 * live in the agent, so that they outlive every framework and every store.
 *
 * @param rack of its machine, for the time when the master does not list it
 * @param launched the generation of the last launch; 0 before any
 */
public record Claim(Allocation allocation, RackName rack, long launched) {
    public static final String ALLOCATION_LABEL = "allocation";
    public static final String CLAIM_LABEL = "claim";

    private static final String VOLUME = "vol-";

    public Claim {
        Objects.requireNonNull(allocation, "allocation is missing");
        Objects.requireNonNull(allocation.id(), "allocation.id is missing");
        Objects.requireNonNull(allocation.node(), "allocation.node is missing");
        Objects.requireNonNull(allocation.machine(), "allocation.machine is missing");
        Objects.requireNonNull(allocation.ports(), "allocation.ports is missing");
        Objects.requireNonNull(allocation.resources(), "allocation.resources is missing");
        Objects.requireNonNull(rack, "rack is missing");
    }

    /** Reads a label; empty if others wrote it. */
    static Optional<Claim> parse(String label) {
        try {
            return Optional.of(Json.parse(label, Claim.class));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    public String label() {
        return Json.text(this);
    }

    public Claim of(Allocation other, long generation) {
        return new Claim(other, rack, generation);
    }

    /** The id of the persistent volume of an allocation. */
    public static String volume(AllocationId id) {
        return VOLUME + id;
    }
}
