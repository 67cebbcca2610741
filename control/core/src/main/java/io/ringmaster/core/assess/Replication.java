package io.ringmaster.core.assess;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The replication factors of the user keyspaces and of the roles in a datacenter, as its nodes report them, and which
 * requests fail when one replica is down.
 */
public final class Replication {
    private final DatacenterName datacenter;
    private final Map<String, Integer> replicas = new TreeMap<>();
    private final Map<String, Integer> rackAware = new TreeMap<>();
    private final RoleReplicas roles;
    private final int racks;
    private final boolean known;

    private Replication(View view, ClusterName cluster, DatacenterName datacenter) {
        this.datacenter = datacenter;
        List<NodeRecord> nodes = view.nodesOf(cluster);
        this.racks = (int) nodes.stream().map(NodeRecord::rack).distinct().count();
        Optional<List<KeyspaceSeen>> reported = reported(view, cluster);
        this.known = reported.isPresent();
        this.roles = RoleReplicas.of(view, cluster, datacenter);
        reported.orElse(List.of()).forEach(this::add);
    }

    /** The user keyspaces as a NORMAL node reports them: a starting node does not know them yet. */
    public static Optional<List<KeyspaceSeen>> reported(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .map(RingView::keyspaces)
                .findFirst();
    }

    public static Replication of(View view, ClusterName cluster) {
        return of(view, cluster, view.datacenter());
    }

    /** The replication in another datacenter, as the nodes of this one report it. */
    public static Replication of(View view, ClusterName cluster, DatacenterName datacenter) {
        return new Replication(view, cluster, datacenter);
    }

    private void add(KeyspaceSeen keyspace) {
        Integer here = keyspace.replicas().get(datacenter.value());
        Integer any = keyspace.replicas().get("*");
        if (here != null) {
            rackAware.put(keyspace.name(), here);
        }
        if (here != null || any != null) {
            replicas.put(keyspace.name(), here != null ? here : any);
        }
    }

    /**
     * The number of replicas of each keyspace whose strategy knows datacenters and racks, by name. Where the replicas
     * of the others are depends on nodes elsewhere.
     */
    public SortedMap<String, Integer> rackAware() {
        return new TreeMap<>(rackAware);
    }

    /** Which consistency levels are affected when one replica of each range is down; one line per keyspace. */
    public List<String> whenOneIsDown() {
        List<String> notes = new ArrayList<>();
        if (!known) {
            notes.add("no node reports its keyspaces now: the effect of a node that is down is unknown");
        }
        replicas.forEach((name, count) -> {
            if (count == 1) {
                notes.add("keyspace " + name + " has 1 replica in " + datacenter
                        + ": requests for a node's ranges fail while it is down");
            } else if (count == 2) {
                notes.add("keyspace " + name + " has 2 replicas in " + datacenter
                        + ": LOCAL_QUORUM and QUORUM requests for a node's ranges fail while it is down; ONE works"
                        + roles.condition());
            }
        });
        if (known && replicas.isEmpty()) {
            notes.add("no user keyspace has replicas in " + datacenter);
        } else if (known && notes.isEmpty()) {
            notes.add("every keyspace has 3 or more replicas in " + datacenter
                    + ": ONE, LOCAL_QUORUM, QUORUM and EACH_QUORUM work while one is down" + roles.condition()
                    + "; ALL fails");
        }
        roles.whenOneIsDown().ifPresent(notes::add);
        return notes;
    }

    /** The data that is lost with one node; one line per keyspace. */
    public List<String> lostWithOne() {
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() == 1)
                .map(e -> "keyspace " + e.getKey() + " has 1 replica in " + datacenter
                        + ": the rows that only this node had are lost")
                .toList();
    }

    /** Why a node cannot be rebuilt from the other replicas: it may hold the only replica of some rows. */
    public Optional<String> whyNotWithoutOne() {
        if (!known) {
            return Optional.of("no node reports its keyspaces now; one may have only 1 replica");
        }
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() == 1)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has 1 replica in " + datacenter + ", which would be lost");
    }

    /** Why this number of nodes is too small: each replica needs a node of its own. */
    Optional<String> whyNotWith(int nodes) {
        if (!known) {
            return Optional.of("no node reports its keyspaces now; one may have more replicas");
        }
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() > nodes)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has " + e.getValue() + " replicas in " + datacenter);
    }

    /** Why fewer racks than today are too few: replicas that are now in different racks would share one. */
    Optional<String> whyNotOver(int fewerRacks) {
        return replicas.entrySet().stream()
                .filter(e -> Math.min(e.getValue(), racks) > fewerRacks)
                .findFirst()
                .map(e -> "the " + e.getValue() + " replicas of keyspace " + e.getKey() + " would be in " + fewerRacks
                        + " racks, not in " + Math.min(e.getValue(), racks));
    }

    /** Why the nodes of one rack must not be down together: a range may have two replicas in it. */
    public Optional<String> whyNotRackByRack() {
        if (!known) {
            return Optional.of("no node reports its keyspaces now");
        }
        return Stream.concat(replicas.entrySet().stream(), roles.asKeyspace().entrySet().stream())
                .filter(e -> e.getValue() < 3 || e.getValue() > racks)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has " + e.getValue() + " replicas over " + racks + " racks of "
                        + datacenter + "; it needs at least 3 replicas and as many racks");
    }
}
