package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.status.LocalClusterStatuses;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AbsenceTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final int HOUR = 3600;

    private static NodeRecord after(Scene scene) {
        View view = scene.view();
        View next = view.with(Recovery.of(view, Scene.RIDES).changes());
        return Objects.requireNonNull(next.nodes().get(Scene.node(2)));
    }

    private static Scene back(ClusterSpec spec, int seconds) {
        return Scene.live(spec).later(seconds);
    }

    @Test
    void a_node_that_was_away_for_longer_than_the_hint_window_needs_a_repair_when_it_is_back() {
        assertThat(after(back(SPEC, 3 * HOUR)).owesRepair()).isFalse();
        assertThat(after(back(SPEC, 3 * HOUR + 1)).owesRepair()).isTrue();
        assertThat(after(back(SPEC, 3 * HOUR + 1).says(2, OperatingMode.STARTING))
                        .owesRepair())
                .isFalse();
    }

    @Test
    void the_hint_window_is_that_of_the_spec() {
        ClusterSpec shorter = SPEC.withCassandraYaml(Map.of("max_hint_window", "30m"));
        assertThat(after(back(shorter, HOUR)).owesRepair()).isTrue();
        ClusterSpec longer = SPEC.withCassandraYaml(Map.of("max_hint_window", "1d"));
        assertThat(after(back(longer, 4 * HOUR)).owesRepair()).isFalse();
    }

    @Test
    void the_hint_window_has_an_older_name_and_is_short_where_no_hints_are_kept() {
        for (Object written : List.of(30 * 60 * 1000, "1_800_000")) {
            ClusterSpec older = SPEC.withCassandraYaml(Map.of("max_hint_window_in_ms", written));
            assertThat(after(back(older, HOUR / 2)).owesRepair()).isFalse();
            assertThat(after(back(older, HOUR)).owesRepair()).isTrue();
        }
        ClusterSpec none = SPEC.withCassandraYaml(Map.of("hinted_handoff_enabled", false));
        assertThat(after(back(none, 120)).owesRepair()).isFalse();
        assertThat(after(back(none, 121)).owesRepair()).isTrue();
    }

    @Test
    void a_longer_hint_window_counts_once_every_node_has_it() {
        ClusterSpec longer = SPEC.withCassandraYaml(Map.of("max_hint_window", "1d"));
        assertThat(after(back(SPEC, 4 * HOUR).version(longer)).owesRepair()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "no", "off", "No"})
    void no_hints_are_kept_whatever_word_a_stored_spec_has_for_it(String word) {
        ClusterSpec none = SPEC.withCassandraYaml(Map.of("hinted_handoff_enabled", word));
        assertThat(after(back(none, 121)).owesRepair()).isTrue();
    }

    @Test
    void no_hints_are_kept_for_a_datacenter_that_is_left_out() {
        ClusterSpec dc1 = SPEC.withCassandraYaml(Map.of("hinted_handoff_disabled_datacenters", List.of("dc1")));
        assertThat(after(back(dc1, 121)).owesRepair()).isTrue();
        ClusterSpec dc2 = SPEC.withCassandraYaml(Map.of("hinted_handoff_disabled_datacenters", List.of("dc2")));
        assertThat(after(back(dc2, 121)).owesRepair()).isFalse();
    }

    @Test
    void a_shorter_hint_window_counts_from_then_on() {
        ClusterSpec none = SPEC.withCassandraYaml(Map.of("hinted_handoff_enabled", false));
        Scene changed = back(SPEC, HOUR / 3).version(none);
        assertThat(after(changed).owesRepair()).as("it was up at the change").isFalse();
        assertThat(after(changed).lastUp()).isEqualTo(Scene.NOW.plusSeconds(HOUR / 3));
        assertThat(after(changed.later(121)).owesRepair())
                .as("nobody saw it since")
                .isTrue();
        assertThat(after(back(SPEC, 3 * HOUR + 1).version(none)).owesRepair())
                .as("the former window was over")
                .isTrue();
    }

    @Test
    void a_node_that_others_see_down_is_away_whatever_it_says_itself() {
        Scene cutOff = back(SPEC, HOUR).says(2, OperatingMode.DOWN).pauses(2, OperatingMode.NORMAL);
        assertThat(after(cutOff).lastUp()).isEqualTo(Scene.NOW);
        Scene alone = back(SPEC, HOUR).says(0, OperatingMode.DOWN).says(1, OperatingMode.DOWN);
        assertThat(after(alone).lastUp()).as("cut off beside the server").isEqualTo(Scene.NOW);
        assertThat(after(back(SPEC, HOUR).silent(0).silent(1)).lastUp())
                .as("it sees the others")
                .isEqualTo(Scene.NOW.plusSeconds(HOUR));
    }

    @Test
    void the_time_at_which_it_was_last_seen_up_is_stored_from_time_to_time() {
        assertThat(after(back(SPEC, 60)).lastUp()).isEqualTo(Scene.NOW);
        assertThat(after(back(SPEC, HOUR)).lastUp()).isEqualTo(Scene.NOW.plusSeconds(HOUR));
        assertThat(after(back(SPEC, HOUR).says(2, OperatingMode.DOWN)).lastUp()).isEqualTo(Scene.NOW);
    }

    @Test
    void a_clock_that_was_set_back_proves_nothing() {
        assertThat(after(back(SPEC, -60)).owesRepair()).isFalse();
        assertThat(after(back(SPEC, -HOUR)).owesRepair()).isTrue();
    }

    @Test
    void a_record_of_an_older_release_only_gets_the_time() {
        Scene old = back(SPEC, 0)
                .record(2, r -> NodeRecordBuilder.builder(r).lastUp(null).build());
        assertThat(after(old).owesRepair()).isFalse();
        assertThat(after(old).lastUp()).isEqualTo(Scene.NOW);
    }

    private static List<String> findings(Scene scene) {
        return LocalClusterStatuses.of(scene.view(), Scene.RIDES, List.of()).orElseThrow().findings().stream()
                .filter(f -> f.problem().code() == ErrorCode.VOLUME_AGING
                        || f.problem().code() == ErrorCode.VOLUME_EXPIRING)
                .map(f -> f.problem().code() + " " + f.problem().line())
                .toList();
    }

    private static Scene down(int seconds, long gcGrace) {
        return Scene.live(SPEC)
                .record(1, r -> r.seenUp(Scene.NOW, gcGrace))
                .says(2, OperatingMode.DOWN)
                .later(seconds);
    }

    @Test
    void a_node_that_is_down_for_half_of_the_smallest_gc_grace_is_a_finding() {
        assertThat(findings(down(119 * HOUR, 0))).isEmpty();
        assertThat(findings(down(120 * HOUR, 0)))
                .containsExactly(
                        "VOLUME_AGING is down for 50 % of the smallest gc_grace of its tables (10d): 5d are left"
                                + " until rows that were deleted meanwhile could return from its volume -> start it in"
                                + " time; when it can no longer be started: ringmaster node replace rides/dc1/node-2");
        assertThat(findings(down(192 * HOUR, 0)))
                .singleElement()
                .asString()
                .startsWith("VOLUME_EXPIRING is down for 80");
        assertThat(findings(down(80, 100))).singleElement().asString().startsWith("VOLUME_EXPIRING is down for 80");
    }

    @Test
    void a_stopped_cluster_is_to_be_started_in_time() {
        assertThat(findings(down(120 * HOUR, 0).record(2, r -> r.running(false))))
                .singleElement()
                .asString()
                .contains("ringmaster cluster start rides");
    }
}
