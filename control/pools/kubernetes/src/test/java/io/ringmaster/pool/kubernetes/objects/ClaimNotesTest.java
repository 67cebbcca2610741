package io.ringmaster.pool.kubernetes.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.ringmaster.json.Json;
import io.ringmaster.pool.kubernetes.Samples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimNotesTest {
    private static PersistentVolumeClaim claim(String notes) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("rides-dc1-node-0")
                .addToAnnotations(ObjectNames.NOTES, notes)
                .endMetadata()
                .build();
    }

    @Test
    void notes_are_read_as_they_were_written() {
        for (ClaimNotes notes : List.of(
                Samples.RESERVED,
                Samples.RUNNING,
                Samples.RUNNING.launchedWith(7),
                Samples.RUNNING.stopped(),
                Samples.RUNNING.at("10.1.0.7"),
                Samples.RUNNING.launchedWith(7).volumeOnly())) {
            assertThat(ClaimNotes.of(claim(notes.json()))).contains(notes);
        }
        assertThat(ClaimNotes.of(Samples.claim())).contains(Samples.RESERVED);
    }

    @Test
    void a_newer_version_may_add_fields() {
        String json = Samples.RUNNING.json().replaceFirst("\\{", "{\"sinceNextYear\":{\"a\":[1]},");
        assertThat(ClaimNotes.of(claim(json))).contains(Samples.RUNNING);
    }

    @Test
    void notes_that_cannot_be_read_are_none() {
        String good = Samples.RUNNING.json();
        List<String> damaged = List.of(
                "",
                "{",
                "null",
                "[]",
                "7",
                "{}",
                "{\"allocation\":null}",
                "{\"allocation\":{}}",
                good.substring(0, good.length() - 2),
                good.replace("rides/dc1/node-0", "rides/node-0"),
                good.replace("\"rides-dc1-node-0\"", "\"rides-dc1-node-1\""), // copied from another claim
                good.replace("\"n1\"", "\"no machine\""),
                good.replace("\"machine\":\"n1\",", ""));
        assertThat(damaged).doesNotContain(good).allSatisfy(text -> assertThat(ClaimNotes.of(claim(text)))
                .isEmpty());
        assertThat(ClaimNotes.of(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .endMetadata()
                        .build()))
                .isEmpty();
    }

    @Test
    void a_change_is_made_of_the_version_that_it_was_decided_from() {
        Map<?, ?> patch = Json.parse(Samples.RUNNING.mergePatch("41"), Map.class);
        assertThat(patch)
                .isEqualTo(Map.of(
                        "metadata",
                        Map.of(
                                "resourceVersion",
                                "41",
                                "annotations",
                                Map.of("ringmaster.io/allocation", Samples.RUNNING.json()))));
    }

    @Test
    void what_was_launched_outlives_what_runs() {
        ClaimNotes launched = Samples.RUNNING.launchedWith(7).at("10.1.0.7");
        assertThat(launched.launchedWith(6)).isEqualTo(launched);
        assertThat(launched.stopped().launched()).isEqualTo(7);
        ClaimNotes released = launched.volumeOnly();
        assertThat(released.run()).isNull();
        assertThat(released.volumeOf()).isEqualTo(Samples.VERSION);
        assertThat(released.reservedFor(Samples.ALLOCATION))
                .isEqualTo(new ClaimNotes(Samples.ALLOCATION, null, 7, false, Samples.VERSION, "10.1.0.7"));
    }
}
