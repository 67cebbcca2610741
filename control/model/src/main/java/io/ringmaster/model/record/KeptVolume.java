package io.ringmaster.model.record;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The volume of an allocation that no node uses any more. It stays on its machine until a user orders its destruction.
 *
 * @param allocation null in the record of an older server until the pool reports it
 * @param since when the ring no longer had a node there; null while that node is still being replaced
 * @param discardedAt when a user ordered its destruction, which waits for the machine if that is away; else null
 * @param sent the pool was ordered to destroy it, when it had exactly this allocation released
 * @param destroyedAt when the pool said that it is gone: only its endpoint is kept, until a node may join there again
 * @param incarnation of the cluster whose node used it; null where that is not known, as in records of older servers
 * @param dropped why an order was not carried out and is void, for people; null when none was dropped
 */
@RecordBuilder
public record KeptVolume(
        AllocationId id,
        @Nullable Allocation allocation,
        Reason reason,
        @Nullable Instant since,
        @Nullable Instant discardedAt,
        boolean sent,
        @Nullable Instant destroyedAt,
        @Nullable String incarnation,
        @Nullable String dropped) {

    /** @param incarnation of its cluster, or null if that is not known */
    public static KeptVolume of(
            Allocation allocation, Reason reason, @Nullable Instant since, @Nullable String incarnation) {
        return new KeptVolume(allocation.id(), allocation, reason, since, null, false, null, incarnation, null);
    }

    /** As older servers stored it: the volume of a node that left the ring. */
    public static KeptVolume ofOlderServer(String id) {
        return new KeptVolume(new AllocationId(id), null, Reason.LEFT, null, null, false, null, null, null);
    }

    public KeptVolume at(Allocation place) {
        return KeptVolumeBuilder.builder(this).allocation(place).build();
    }

    public KeptVolume since(Instant left) {
        return KeptVolumeBuilder.builder(this).since(left).build();
    }

    /** Its destruction is ordered; the first order counts. */
    public KeptVolume discarded(Instant now) {
        return KeptVolumeBuilder.builder(this)
                .discardedAt(Objects.requireNonNullElse(discardedAt, now))
                .dropped(null)
                .build();
    }

    /** The pool has it as recorded, and is ordered to destroy it. */
    public KeptVolume sent(Instant now) {
        return KeptVolumeBuilder.builder(discarded(now)).sent(true).build();
    }

    /** @param when the pool said that it is gone; null if the pool has it again */
    public KeptVolume destroyed(@Nullable Instant when) {
        return KeptVolumeBuilder.builder(this).destroyedAt(when).build();
    }

    public boolean destroyed() {
        return destroyedAt != null;
    }

    /** What has its name now must not be destroyed: the order is void, and the volume is kept until another one. */
    public KeptVolume dropped(String why) {
        return KeptVolumeBuilder.builder(this)
                .discardedAt(null)
                .sent(false)
                .dropped(why)
                .build();
    }

    public boolean ordered() {
        return discardedAt != null;
    }

    /** Its cluster is deleted: a later cluster of the same name does not own it. What is not known stays so. */
    public KeptVolume ofDeleted() {
        return reason == Reason.UNKNOWN
                ? this
                : KeptVolumeBuilder.builder(this).reason(Reason.DELETED).build();
    }

    /** Whether it belongs to this incarnation of the cluster, so that a delete can destroy it. */
    public boolean own(@Nullable String present) {
        return incarnation != null
                && incarnation.equals(present)
                && reason != Reason.DELETED
                && reason != Reason.UNKNOWN;
    }

    public enum Reason {
        /** Its node left the ring. */
        LEFT,
        /** Its node was replaced. */
        REPLACED,
        /** Its node was moved to another machine. */
        EVACUATED,
        /** Its node was given up before it joined. */
        ABORTED,
        /** Its cluster was deleted. */
        DELETED,
        /** It is older than the records: perhaps of an earlier cluster with the same name. */
        UNKNOWN;

        /** For people, such as {@code its node left the ring}. */
        public String because() {
            return switch (this) {
                case LEFT -> "its node left the ring";
                case REPLACED -> "its node was replaced";
                case EVACUATED -> "its node was moved to another machine";
                case ABORTED -> "its node never joined";
                case DELETED -> "its cluster was deleted";
                case UNKNOWN -> "it is older than the records";
            };
        }
    }
}
