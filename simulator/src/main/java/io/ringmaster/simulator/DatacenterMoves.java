package io.ringmaster.simulator;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Optional;

/**
 * Users who take clusters into datacenters and out of them, whose services connect there, and who decide where a keyspace is kept. They look
 * where it is kept before they take a datacenter out, and give everybody the time to learn of what they changed.
 */
final class DatacenterMoves {
    private static final int KNOWN_MILLIS = 30_000;

    private final World world;
    private final SimServers servers;
    private final SeededRandom chance;
    private long alteredMillis = -KNOWN_MILLIS;

    DatacenterMoves(World world, SimServers servers) {
        this.world = world;
        this.servers = servers;
        this.chance = world.chance;
    }

    void act(ClusterName cluster) {
        DatacenterName datacenter = chance.pick(World.DATACENTERS);
        switch (chance.between(0, 9)) {
            case 0, 1, 2 -> leave(cluster);
            case 3 -> world.clients.connect(cluster, datacenter);
            case 4 -> world.clients.disconnect(cluster, datacenter);
            case 5, 6 -> keepLedger(cluster, datacenter);
            case 7 -> servers.rebuild(cluster, datacenter, other(datacenter), "");
            default -> servers.change(cluster, spec -> RandomSpecs.withAllDatacenters(spec, chance));
        }
    }

    private void leave(ClusterName cluster) {
        if (takesBack(cluster) || world.timeline.nowMillis() - alteredMillis < KNOWN_MILLIS) {
            return;
        }
        boolean moves = chance.one(0.7);
        boolean forced = chance.one(0.3);
        servers.ask(
                "leave " + cluster + (forced ? " by force" : ""),
                c -> SimServers.changed(
                        c,
                        cluster,
                        spec -> {
                            ClusterSpec without = RandomSpecs.withoutLastDatacenter(spec);
                            if (moves) {
                                World.DATACENTERS.stream()
                                        .filter(d -> without.datacenter(d).isEmpty())
                                        .forEach(d -> world.clients.disconnect(cluster, d));
                            }
                            return without;
                        },
                        forced));
    }

    /** What has no rows where it was to be kept, too. */
    private boolean takesBack(ClusterName cluster) {
        List<DatacenterName> keepers = world.keyspaces.keepers(cluster, Keyspaces.LEDGER);
        Optional<DatacenterName> vain = keepers.stream()
                .filter(d -> keepers.size() > 1
                        && world.keyspaces.lacking(cluster, Keyspaces.LEDGER, d).isPresent())
                .findFirst();
        vain.ifPresent(d -> {
            world.keyspaces.take(cluster, Keyspaces.LEDGER, d);
            altered(cluster, "not in " + d);
        });
        return vain.isPresent();
    }

    /** In one datacenter, then in both, then nowhere. */
    private void keepLedger(ClusterName cluster, DatacenterName datacenter) {
        if (!isWholeEverywhere(cluster)) {
            return;
        }
        List<DatacenterName> keepers = world.keyspaces.keepers(cluster, Keyspaces.LEDGER);
        if (keepers.isEmpty()) {
            world.keyspaces.make(cluster, Keyspaces.LEDGER, datacenter);
            altered(cluster, "in " + datacenter);
        } else if (keepers.size() == 1) {
            DatacenterName there = keepers.get(0);
            world.keyspaces.give(cluster, Keyspaces.LEDGER, other(there));
            altered(cluster, "also in " + other(there));
            servers.rebuild(cluster, other(there), there, Keyspaces.LEDGER);
        } else {
            world.keyspaces.drop(cluster, Keyspaces.LEDGER);
            altered(cluster, "nowhere");
        }
    }

    private void altered(ClusterName cluster, String where) {
        alteredMillis = world.timeline.nowMillis();
        world.trace.add("user", Keyspaces.LEDGER + " of " + cluster + " is kept " + where);
    }

    /** All datacenters know of each other's parts, and none is to leave. */
    private boolean isWholeEverywhere(ClusterName cluster) {
        return world.datacenters.values().stream().allMatch(d -> d.leader()
                .filter(SimServer::leads)
                .map(SimServer::view)
                .filter(v -> isWhole(v, cluster))
                .isPresent());
    }

    private static boolean isWhole(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        return record != null
                && record.created()
                && SimServers.target(view, cluster)
                        .filter(s -> s.datacenters().size() == World.DATACENTERS.size())
                        .isPresent();
    }

    private static DatacenterName other(DatacenterName datacenter) {
        return World.DATACENTERS.stream()
                .filter(d -> !d.equals(datacenter))
                .findFirst()
                .orElseThrow();
    }
}
