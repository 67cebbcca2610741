package io.ringmaster.core;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RestoreSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Backups of the cluster {@code old} that the cluster {@code rides} starts from. */
public final class Restores {
    public static final RestoreSource SOURCE =
            new RestoreSource("main", new ClusterName("old"), "dc1-7-3f9c", "20260101T100000Z-3f9c");

    private Restores() {}

    /** @param racks of the nodes of dc1, and then of dc2, which has none if it is not given */
    @SafeVarargs
    public static RestoreOrigin origin(List<String>... racks) {
        List<DatacenterName> datacenters = List.of(Samples.DC1, Samples.DC2).subList(0, racks.length);
        List<RestoreOrigin.Node> nodes = new ArrayList<>();
        for (int d = 0; d < racks.length; d++) {
            for (int i = 0; i < racks[d].size(); i++) {
                nodes.add(new RestoreOrigin.Node(
                        new NodeId(SOURCE.cluster(), datacenters.get(d), i),
                        new RackName(racks[d].get(i)),
                        List.of(token(d, i)),
                        Samples.GIB + i * Samples.MIB,
                        "hash-" + d + "-" + i,
                        false));
            }
        }
        return new RestoreOrigin("5.0.9", Scene.NOW.minus(Duration.ofHours(2)), false, datacenters, nodes);
    }

    public static String token(int datacenter, int index) {
        return Long.toString(1000L * index + datacenter);
    }

    /** Of a cluster whose nodes in dc1 have these tokens already; dc2 has as many. Node 1 owed a cleanup. */
    public static RestoreOrigin of(List<NodeRecord> nodes) {
        List<RestoreOrigin.Node> all = new ArrayList<>();
        for (NodeRecord n : nodes) {
            boolean owes = n.id().index() == 1;
            all.add(new RestoreOrigin.Node(n.id(), n.rack(), n.tokens(), Samples.GIB, "hash", owes));
            NodeId other = new NodeId(n.id().cluster(), Samples.DC2, n.id().index());
            all.add(new RestoreOrigin.Node(other, n.rack(), n.tokens(), Samples.GIB, "hash", false));
        }
        return new RestoreOrigin(
                "5.0.9", Scene.NOW.minus(Duration.ofHours(2)), false, List.of(Samples.DC1, Samples.DC2), all);
    }

    public static ClusterSpec spec(int... nodesAndSeeds) {
        return Samples.spec("rides", nodesAndSeeds).with(SOURCE);
    }
}
