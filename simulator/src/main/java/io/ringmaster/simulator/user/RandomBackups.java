package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Backups of clusters of long ago, with the shape of new ones. */
final class RandomBackups {
    private static final ClusterName FORMER = new ClusterName("archive");
    private static final int RACKS = 3;
    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
    /** Tokens of different datacenters differ. */
    private static final long SHIFT = 1L << 56;

    private final World world;
    private final SeededRandom random;
    private int made;

    RandomBackups(World world, SeededRandom random) {
        this.world = world;
        this.random = random;
    }

    /** The spec, of a cluster that starts from a backup. */
    ClusterSpec restored(ClusterSpec spec) {
        String id = String.format(Locale.ROOT, "20200101T000000Z-%04x", ++made);
        RestoreSource source = new RestoreSource("main", FORMER, "archive-" + made, id);
        List<RestoreOrigin.Node> nodes = new ArrayList<>();
        for (DatacenterSpec datacenter : spec.datacenters()) {
            for (int n = 0; n < datacenter.nodes(); n++) {
                nodes.add(node(datacenter, n, spec.datacenters().indexOf(datacenter)));
            }
        }
        RestoreOrigin origin = new RestoreOrigin(
                spec.cassandraVersion(),
                world.now().minus(Duration.ofDays(random.between(0, 20))),
                false,
                spec.datacenterNames(),
                nodes);
        world.restores().made(source, origin);
        world.trace().add("user", spec.name() + " is to start from backup " + id);
        return spec.with(source);
    }

    private RestoreOrigin.Node node(DatacenterSpec datacenter, int index, int datacenterIndex) {
        long token = RING.multiply(BigInteger.valueOf(index))
                .divide(BigInteger.valueOf(datacenter.nodes()))
                .add(BigInteger.valueOf(Long.MIN_VALUE))
                .add(BigInteger.valueOf(SHIFT * datacenterIndex))
                .longValueExact();
        return new RestoreOrigin.Node(
                new NodeId(FORMER, datacenter.name(), index),
                new RackName("former-" + index % RACKS),
                List.of(Long.toString(token)),
                1 << 20,
                "manifest-" + index,
                random.chance(0.2));
    }
}
