package io.ringmaster.integration;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.client.ChangeOptions;
import java.util.function.UnaryOperator;

/** Another cluster on the machines of dc1: as rides, with half of its CPU and three quarters of its memory and heap. */
final class SmallCluster {
    private SmallCluster() {}

    /** @param where more of {@code dc1} in its spec, such as {@code , racks: [r1, r2]}, or nothing */
    static void declare(Playground playground, ClusterName name, int nodes, String where) {
        declare(playground, name, nodes, where, spec -> spec);
    }

    /** @param change of the text of its spec */
    static void declare(
            Playground playground, ClusterName name, int nodes, String where, UnaryOperator<String> change) {
        String spec = playground
                .client("dc1")
                .spec(Playground.RIDES)
                .source()
                .replaceFirst("cluster: *rides", "cluster: " + name)
                .replaceFirst(
                        "(?s)dc1:.*?node:.*?jvm:",
                        "dc1: {nodes: " + nodes + ", seeds: 1" + where
                                + "}\nnode: {cpus: 0.5, memory: 768MiB, heap: 192MiB, disk: 2GiB}\njvm:");
        playground.client("dc1").apply(name, change.apply(spec), 0L, ChangeOptions.APPLY);
    }
}
