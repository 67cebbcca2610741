package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must be durable about an allocation, as an annotation of its claim.
 *
 * @param run what is to run in it; null if nothing is
 * @param launched the generation of the last launch; 0 before any
 * @param released whether only the volume is kept
 * @param volumeOf the Cassandra version that was launched last; null if the volume was never used
 * @param address at which its node was ready last; null before the first time
 */
public record ClaimNotes(
        Allocation allocation,
        @Nullable Run run,
        long launched,
        boolean released,
        @Nullable String volumeOf,
        @Nullable String address) {
    /** @param generation of the node's record when this was decided */
    public record Run(long generation, String cassandraVersion) {}

    public static ClaimNotes reserved(Allocation allocation) {
        return new ClaimNotes(allocation, null, 0, false, null, null);
    }

    /** Empty if the claim has none of its own that can be read. */
    public static Optional<ClaimNotes> of(PersistentVolumeClaim claim) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(ObjectNames.NOTES);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.parse(text, ClaimNotes.class))
                    .filter(ClaimNotes::isWhole)
                    .filter(notes -> notes.allocation()
                            .id()
                            .value()
                            .equals(claim.getMetadata().getName()));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private boolean isWhole() {
        Allocation a = allocation;
        return a != null
                && Stream.of(a.id(), a.node(), a.machine(), a.ports(), a.resources())
                        .allMatch(Objects::nonNull)
                && (run == null || run.cassandraVersion() != null);
    }

    /** The same volume, reserved for these resources; what runs goes on. */
    public ClaimNotes reservedFor(Allocation other) {
        return new ClaimNotes(other, run, launched, false, volumeOf, address);
    }

    public ClaimNotes running(Allocation other, Run next) {
        return new ClaimNotes(other, next, launched, false, next.cassandraVersion(), address);
    }

    public ClaimNotes launchedWith(long generation) {
        return new ClaimNotes(allocation, run, Math.max(launched, generation), released, volumeOf, address);
    }

    public ClaimNotes stopped() {
        return new ClaimNotes(allocation, null, launched, released, volumeOf, address);
    }

    public ClaimNotes volumeOnly() {
        return new ClaimNotes(allocation, null, launched, true, volumeOf, address);
    }

    public ClaimNotes at(String where) {
        return new ClaimNotes(allocation, run, launched, released, volumeOf, where);
    }

    String json() {
        return Json.text(this);
    }

    /** The change of a claim that has other notes. */
    public String mergePatch(String resourceVersion) {
        return Json.text(Map.of(
                "metadata",
                Map.of("resourceVersion", resourceVersion, "annotations", Map.of(ObjectNames.NOTES, json()))));
    }
}
