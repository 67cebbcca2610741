package io.ringmaster.simulator.user;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.Keyspaces;
import io.ringmaster.simulator.world.World;
import java.util.List;

/**
 * Users who add datacenters to clusters and remove them, connect clients there, and change the replication of a
 * keyspace. They do not look whether a rebuild is complete, or which datacenter has which rows, before they remove one:
 * that is the controller's task.
 */
final class DatacenterMoves {
    private final World world;
    private final Datacenters datacenters;
    private final UserRequests requests;
    private final SeededRandom random;

    DatacenterMoves(World world, Datacenters datacenters, UserRequests requests) {
        this.world = world;
        this.datacenters = datacenters;
        this.requests = requests;
        this.random = world.random();
    }

    void act(ClusterName cluster) {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        switch (random.between(0, 9)) {
            case 0, 1, 2 -> leave(cluster);
            case 3 -> world.clients().connect(cluster, datacenter);
            case 4 -> world.clients().disconnect(cluster, datacenter);
            case 5, 6 -> alterLedger(cluster, datacenter);
            case 7 -> requests.rebuild(cluster, datacenter, other(datacenter), "");
            default -> requests.change(cluster, spec -> RandomSpecs.withAllDatacenters(spec, random));
        }
    }

    /** Returns whether it was accepted. */
    boolean leave(ClusterName cluster) {
        boolean moves = random.chance(0.7);
        boolean forced = random.chance(0.3);
        return requests.ask(
                "remove datacenter from " + cluster + (forced ? " by force" : ""),
                c -> UserRequests.changed(
                        c,
                        cluster,
                        spec -> {
                            ClusterSpec without = RandomSpecs.withoutLastDatacenter(spec);
                            if (moves) {
                                World.DATACENTERS.stream()
                                        .filter(d -> without.datacenter(d).isEmpty())
                                        .forEach(d -> world.clients().disconnect(cluster, d));
                            }
                            return without;
                        },
                        forced));
    }

    /** Creates the keyspace in one datacenter, extends it to the other one, then drops it. */
    private void alterLedger(ClusterName cluster, DatacenterName datacenter) {
        if (!isCompleteEverywhere(cluster)) {
            return;
        }
        List<DatacenterName> replicas = world.keyspaces().datacentersOf(cluster, Keyspaces.LEDGER);
        if (replicas.isEmpty()) {
            world.keyspaces().create(cluster, Keyspaces.LEDGER, datacenter);
            altered(cluster, "in " + datacenter);
        } else if (replicas.size() == 1) {
            DatacenterName there = replicas.get(0);
            world.keyspaces().addReplicas(cluster, Keyspaces.LEDGER, other(there));
            altered(cluster, "also in " + other(there));
            requests.rebuild(cluster, other(there), there, Keyspaces.LEDGER);
        } else {
            world.keyspaces().drop(cluster, Keyspaces.LEDGER);
            altered(cluster, "nowhere");
        }
    }

    private void altered(ClusterName cluster, String where) {
        world.trace().add("user", Keyspaces.LEDGER + " of " + cluster + " has replicas " + where);
    }

    /** Every leader knows the cluster as complete, and no datacenter leaves it. */
    private boolean isCompleteEverywhere(ClusterName cluster) {
        return datacenters.all().stream()
                .allMatch(
                        d -> d.leaderView().filter(v -> isComplete(v, cluster)).isPresent());
    }

    private static boolean isComplete(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        return record != null
                && record.created()
                && ClusterViews.spec(view, cluster)
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
