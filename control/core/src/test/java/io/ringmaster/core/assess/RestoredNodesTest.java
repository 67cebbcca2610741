package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Restores;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RestoredNodesTest {
    private static Optional<String> sources(RestoreOrigin origin, List<NodeRecord> existing, String... racks) {
        Map<NodeId, RackName> placed = new TreeMap<>();
        for (int i = 0; i < racks.length; i++) {
            placed.put(Scene.node(existing.size() + i), new RackName(racks[i]));
        }
        return RestoredNodes.sources(origin, Samples.DC1, existing, placed).map(sources -> {
            StringBuilder line = new StringBuilder();
            sources.forEach((node, source) -> line.append(node.index())
                    .append("<-")
                    .append(source.node().index())
                    .append(' '));
            return line.toString().strip();
        });
    }

    /** The nodes of a scene, with the tokens of these nodes of the backup. */
    private static List<NodeRecord> existing(int... sources) {
        Scene scene = Scene.placed(Samples.spec("rides", 3, 2));
        return scene.view().nodesOf(Scene.RIDES).stream()
                .limit(sources.length)
                .map(n -> NodeRecord.placed(
                        n.id(), n.allocation(), n.rack(), List.of(Restores.token(0, sources[n.id().index()])), 1))
                .toList();
    }

    @Test
    void racks_are_paired_by_size_and_name_and_their_nodes_by_index() {
        assertThat(sources(Restores.origin(List.of("a", "b", "c")), List.of(), "r3", "r1", "r2"))
                .contains("0<-2 1<-0 2<-1");
        assertThat(sources(Restores.origin(List.of("a", "b", "b", "b")), List.of(), "x", "x", "y", "x"))
                .contains("0<-1 1<-2 2<-0 3<-3");
    }

    @Test
    void racks_of_other_sizes_or_of_another_number_do_not_map() {
        RestoreOrigin even = Restores.origin(List.of("a", "b", "c", "a", "b", "c"));
        assertThat(sources(even, List.of(), "x", "y", "z", "x", "y", "z")).isPresent();
        assertThat(sources(even, List.of(), "x", "y", "z", "x", "x", "z")).isEmpty();
        assertThat(sources(even, List.of(), "x", "y", "x", "y", "x", "y")).isEmpty();
        assertThat(sources(even, List.of(), "x", "y", "z")).isEmpty();
    }

    @Test
    void a_node_keeps_the_source_whose_tokens_it_has() {
        RestoreOrigin origin = Restores.origin(List.of("a", "b", "c"));
        assertThat(sources(origin, existing(2), "r2", "r3")).contains("0<-2 1<-0 2<-1");
        assertThat(sources(origin, existing(2, 0, 1))).contains("0<-2 1<-0 2<-1");
    }

    @Test
    void a_node_with_other_tokens_and_two_racks_in_one_do_not_map() {
        RestoreOrigin origin = Restores.origin(List.of("a", "b", "c"));
        assertThat(sources(origin, existing(7), "r2", "r3")).isEmpty();
        assertThat(sources(Restores.origin(List.of("a", "a", "b")), existing(0, 1), "r3"))
                .isEmpty();
    }
}
