package io.ringmaster.pool.mesos.picture;

import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.RackName;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
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
    private static final SecureRandom RANDOM = new SecureRandom();

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

    /**
     * The id of a persistent volume to be made, which no other ever had: an agent that lost its state keeps the folders
     * of its volumes, and uses the one that it finds under an id.
     */
    static String newVolume(AllocationId id) {
        return VOLUME + id + "-" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    /** Whether a persistent volume, whose reservation has the label of this allocation, was made by this pool. */
    static boolean isVolume(String volume, AllocationId id) {
        return volume.startsWith(VOLUME + id);
    }
}
