package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.PlacementSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What tests ask of controllers. */
final class Requests {
    private Requests() {}

    static ClusterSpec twoDatacenters() {
        return Samples.spec("rides", 3, 2, 3, 2);
    }

    static ClusterSpec oneDatacenter() {
        return Samples.spec("rides", 3, 2);
    }

    static ClusterSpec withYaml(ClusterSpec spec, Map<String, Object> yaml) {
        return spec.withCassandraYaml(yaml);
    }

    static ClusterSpec poisoned(ClusterSpec spec) {
        return withYaml(spec, Map.of("poison", true));
    }

    /** The same with other numbers of nodes, as many on one machine as it takes. */
    static ClusterSpec withNodes(ClusterSpec spec, int... nodes) {
        List<DatacenterSpec> datacenters = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            DatacenterSpec old = spec.datacenters().get(i);
            datacenters.add(new DatacenterSpec(old.name(), nodes[i], old.seeds(), old.racks()));
        }
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                datacenters,
                spec.resources(),
                spec.jvm(),
                spec.cassandraYaml(),
                new PlacementSpec(2));
    }

    static ApplyResult apply(FakeDatacenter dc, ClusterSpec spec) {
        return accepted(dc.controller.requests().applySpec("yaml of " + spec, spec, null, "alice", false, false));
    }

    static <T> T accepted(Answer<T> answer) {
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
        return ((Answer.Accepted<T>) answer).value();
    }

    static List<Problem> refused(Answer<?> answer) {
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        return ((Answer.Refused<?>) answer).problems();
    }
}
