package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SupportedChangesTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);
    private static final ClusterSpec WITHOUT =
            BOTH.withDatacenters(BOTH.datacenters().subList(0, 1));

    @Test
    void a_datacenter_that_has_nodes_stays_in_the_spec_until_the_cluster_is_complete() {
        // the nodes here are of a version that did not name it yet
        Scene scene = Scene.placed(WITHOUT).version(BOTH).peer(3, 2, 1, false, null);
        assertThat(SupportedChanges.problems(scene.view(), WITHOUT).stream().map(Problem::line))
                .containsExactly("datacenters: rides has nodes in dc2, which the spec does not name"
                        + " -> name dc2 too, or declare a cluster of another name");
        assertThat(SupportedChanges.problems(scene.created().view(), WITHOUT)).isEqualTo(List.of());
    }

    private static ClusterSpec encrypted(int... places) {
        List<DatacenterSpec> datacenters =
                IntStream.of(places).mapToObj(BOTH.datacenters()::get).toList();
        return BOTH.withDatacenters(datacenters).with(TlsSpec.INTERNODE);
    }

    private static List<String> lines(View view, ClusterSpec after) {
        return SupportedChanges.problems(view, after).stream()
                .map(Problem::line)
                .toList();
    }

    @Test
    void a_created_cluster_with_tls_gets_no_datacenter_at_the_server_of_that_datacenter_either() {
        ClusterSpec after = encrypted(1, 0);
        String refusal = "datacenters.dc1: cannot be added: rides is created with [dc2], and a created cluster with"
                + " tls.internode cannot get another datacenter yet -> take dc1 out of the spec, or declare a new"
                + " cluster with all of them";
        Scene scene = Scene.declared(encrypted(1)).version(after);
        assertThat(lines(scene.created().view(), after))
                .as("by the former version here")
                .containsExactly(refusal);
        View reported = Scene.declared(encrypted(1))
                .version(after)
                .peer(3, 1, 1, true, null)
                .view();
        SpecRecord former = reported.spec(after.name(), 1).orElseThrow();
        assertThat(lines(reported.with(List.of(new Change.Remove(former.key()))), after))
                .as("by the report of dc2")
                .containsExactly(refusal);
        ClusterSpec clear = BOTH.withDatacenters(after.datacenters());
        assertThat(lines(
                        Scene.declared(encrypted(1))
                                .version(clear)
                                .peer(3, 1, 1, true, null)
                                .view(),
                        clear))
                .as("without tls from now on")
                .containsExactly(refusal);
    }

    @Test
    void a_datacenter_that_a_former_spec_names_and_a_cluster_in_clear_text_are_accepted() {
        ClusterSpec after = encrypted(1, 0);
        Scene lost = Scene.declared(after).version(after).peer(3, 1, 1, true, null);
        assertThat(lines(lost.view(), after)).isEmpty();
        ClusterSpec clear = BOTH.withDatacenters(after.datacenters());
        ClusterSpec before = BOTH.withDatacenters(BOTH.datacenters().subList(1, 2));
        assertThat(lines(
                        Scene.declared(before)
                                .version(clear)
                                .peer(3, 1, 1, true, null)
                                .view(),
                        clear))
                .isEmpty();
        Scene uncreated = Scene.declared(encrypted(1)).version(after).peer(3, 1, 1, false, null);
        assertThat(lines(uncreated.view(), after)).as("before it is created").isEmpty();
    }

    /** A server of an earlier release has stored the second version, and dropped the TLS that it does not know. */
    @Test
    void tls_that_an_earlier_release_dropped_can_come_back_as_the_nodes_still_have_it() {
        ClusterSpec clear = Samples.spec("rides", 3, 2);
        TlsSpec tls = new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED);
        Scene scene = Scene.live(clear.with(tls)).version(clear);
        for (int i = 0; i < 3; i++) {
            scene.tls(i, TlsStatus.UNUSED.following(tls));
        }
        scene.record(0, r -> r.decide(2));
        assertThat(lines(scene.view(), clear.with(tls))).isEmpty();
        assertThat(lines(scene.view(), clear.with(TlsSpec.INTERNODE)))
                .as("less")
                .singleElement()
                .asString()
                .startsWith("tls.internode: ");
        assertThat(lines(scene.tls(1, TlsStatus.UNUSED.following(TlsSpec.OFF)).view(), clear.with(tls)))
                .as("a node has another")
                .hasSize(2);
        Scene taken = Scene.live(clear.with(tls)).version(clear).record(0, r -> r.decide(2));
        assertThat(lines(taken.says(0, OperatingMode.NORMAL).view(), clear.with(tls)))
                .as("no node has it")
                .hasSize(2);
    }
}
