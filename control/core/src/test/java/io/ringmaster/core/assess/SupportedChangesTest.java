package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TlsStatus;
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
    void a_created_cluster_gets_another_datacenter_with_tls_as_without_it() {
        ClusterSpec after = encrypted(1, 0);
        Scene scene = Scene.declared(encrypted(1)).version(after).peer(3, 1, 1, true, null);
        assertThat(lines(scene.view(), after)).isEmpty();
        assertThat(lines(Scene.live(encrypted(0)).view(), encrypted(0, 1)))
                .as("where the nodes are")
                .isEmpty();
        assertThat(lines(scene.view(), encrypted(0, 1)))
                .as("before the others")
                .containsExactly("datacenters.dc1: is listed before dc2, which the cluster already has"
                        + " -> list it after all datacenters that the cluster has");
    }

    @Test
    void it_gets_one_with_its_own_tls_only() {
        ClusterSpec clear = BOTH.withDatacenters(encrypted(1, 0).datacenters());
        Scene scene = Scene.declared(encrypted(1)).version(clear).peer(3, 1, 1, true, null);
        assertThat(lines(scene.view(), clear))
                .containsExactly(
                        "tls: rides is created in [dc2] with tls: {internode: required} -> add dc1 with the same");
        Scene plain = Scene.declared(clear).version(encrypted(1, 0)).peer(3, 1, 1, true, null);
        assertThat(lines(plain.view(), encrypted(1, 0)))
                .containsExactly("tls: rides is created in [dc2, dc1] with no tls -> add dc1 with the same");
        assertThat(lines(scene.peer(3, 2, 1, true, null).view(), clear))
                .as("dc2 has received it, and refuses it there")
                .isEmpty();
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
