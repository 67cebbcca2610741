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
import java.util.TreeMap;
import java.util.stream.Stream;

/** How often the users' keyspaces are kept in this datacenter, as its nodes tell, and who feels it when one copy is away. */
public final class Replication {
    private final DatacenterName datacenter;
    private final Map<String, Integer> replicas = new TreeMap<>();
    private final int racks;
    private final boolean known;

    private Replication(View view, ClusterName cluster, DatacenterName datacenter) {
        this.datacenter = datacenter;
        List<NodeRecord> nodes = view.nodesOf(cluster);
        this.racks = (int) nodes.stream().map(NodeRecord::rack).distinct().count();
        Optional<List<KeyspaceSeen>> told = told(view, cluster);
        this.known = told.isPresent();
        told.orElse(List.of()).forEach(this::add);
    }

    /** The users' keyspaces as a node tells that is NORMAL: one that starts knows of none yet. */
    public static Optional<List<KeyspaceSeen>> told(View view, ClusterName cluster) {
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

    /** In another datacenter, as the nodes of this one tell. */
    public static Replication of(View view, ClusterName cluster, DatacenterName datacenter) {
        return new Replication(view, cluster, datacenter);
    }

    private void add(KeyspaceSeen keyspace) {
        Integer here = keyspace.replicas().get(datacenter.value());
        Integer any = keyspace.replicas().get("*");
        if (here != null || any != null) {
            replicas.put(keyspace.name(), here != null ? here : any);
        }
    }

    /** Which consistency levels feel it when one replica of each range is down; one line each. */
    public List<String> whenOneIsDown() {
        List<String> notes = new ArrayList<>();
        if (!known) {
            notes.add("no node tells its keyspaces now: who feels a node down is not known");
        }
        replicas.forEach((name, count) -> {
            if (count == 1) {
                notes.add("keyspace " + name + " has 1 replica in " + datacenter
                        + ": requests for a node's part of it fail while the node is down");
            } else if (count == 2) {
                notes.add("keyspace " + name + " has 2 replicas in " + datacenter
                        + ": LOCAL_QUORUM and QUORUM requests fail for a node's part while it is down; ONE goes on");
            }
        });
        if (known && replicas.isEmpty()) {
            notes.add("no keyspace of users has replicas in " + datacenter);
        } else if (known && notes.isEmpty()) {
            notes.add("every keyspace has 3 or more replicas in " + datacenter
                    + ": ONE, LOCAL_QUORUM, QUORUM and EACH_QUORUM go on, ALL does not");
        }
        return notes;
    }

    /** What is gone with one node for good; one line for each keyspace. */
    public List<String> lostWithOne() {
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() == 1)
                .map(e -> "keyspace " + e.getKey() + " has 1 replica in " + datacenter
                        + ": the rows that only this node had come back empty")
                .toList();
    }

    /** Why no node can be left to the other replicas to build anew: some rows may lie on it alone. */
    public Optional<String> whyNotWithoutOne() {
        if (!known) {
            return Optional.of("no node tells its keyspaces now, which may have 1 replica");
        }
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() == 1)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has 1 replica in " + datacenter + ", which would be lost");
    }

    /** Why so many nodes would not do: each replica needs its own. */
    Optional<String> whyNotWith(int nodes) {
        if (!known) {
            return Optional.of("no node tells its keyspaces now, which may have more replicas");
        }
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() > nodes)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has " + e.getValue() + " replicas in " + datacenter);
    }

    /** Why so many racks would not do, fewer than there are: replicas that now lie in different ones would share one. */
    Optional<String> whyNotOver(int fewerRacks) {
        return replicas.entrySet().stream()
                .filter(e -> Math.min(e.getValue(), racks) > fewerRacks)
                .findFirst()
                .map(e -> "the " + e.getValue() + " replicas of keyspace " + e.getKey() + " would lie in " + fewerRacks
                        + " racks, not in " + Math.min(e.getValue(), racks));
    }

    /** Why the nodes of one rack must not be down together: some range may have two replicas in it. */
    public Optional<String> whyNotRackByRack() {
        if (!known) {
            return Optional.of("no node tells its keyspaces now");
        }
        return replicas.entrySet().stream()
                .filter(e -> e.getValue() < 3 || e.getValue() > racks)
                .findFirst()
                .map(e -> "keyspace " + e.getKey() + " has " + e.getValue() + " replicas over " + racks + " racks of "
                        + datacenter + "; at least 3, and no more than racks, are needed");
    }
}
