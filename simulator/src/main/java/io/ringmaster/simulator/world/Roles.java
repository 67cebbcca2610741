package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RoleSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The roles of each cluster that lets clients log in, and their replication: what the tasks of its nodes wrote. All
 * replicas have the same rows.
 */
public final class Roles {
    static final String KEYSPACE = "system_auth";
    private static final int REPLICAS = 3;
    private static final String ROLE = "role.";

    private final World world;
    private final Map<ClusterName, Written> written = new TreeMap<>();

    /** What the rows of one cluster say. */
    private static final class Written {
        /** By datacenter; empty before the first task. */
        private final Map<String, Integer> replicas = new TreeMap<>();
        /** The attributes, members and permissions of each role. */
        private final Map<String, NavigableSet<String>> roles = new TreeMap<>();
    }

    Roles(World world) {
        this.world = world;
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        written.remove(cluster);
    }

    private Written of(ClusterName cluster) {
        return written.computeIfAbsent(cluster, c -> new Written());
    }

    /** Cassandra makes the keyspace with one replica in the whole ring. */
    RingView.KeyspaceSeen seenIn(ClusterName cluster) {
        Map<String, Integer> replicas = of(cluster).replicas;
        return new RingView.KeyspaceSeen(KEYSPACE, replicas.isEmpty() ? Map.of("*", 1) : replicas, null);
    }

    /** As for every other keyspace, where the replication of this one names datacenters; a leaving one keeps one. */
    void replicate(ClusterName cluster, String datacenter, int nodes) {
        Written roles = of(cluster);
        if (roles.replicas.isEmpty()) {
            return;
        }
        if (nodes > 0) {
            alter(cluster, roles, Map.of(datacenter, nodes));
        } else if (roles.replicas.containsKey(datacenter)) {
            roles.replicas.put(datacenter, 1);
        }
    }

    /** Replicates roles as the task demands; returns whether it can write them now, in every datacenter. */
    boolean replicate(SimNode node, NodeTask task) {
        Written roles = of(node.cluster());
        Map<String, Integer> nodes = list(task, "nodes")
                .map(part -> part.split(":", 2))
                .collect(Collectors.toMap(p -> p[0], p -> Integer.valueOf(p[1]), (a, b) -> b, TreeMap::new));
        alter(node.cluster(), roles, nodes);
        return !writesRoles(task) || roles.replicas.keySet().stream().allMatch(d -> hasQuorum(node, d, roles));
    }

    private static boolean writesRoles(NodeTask task) {
        return task.args().keySet().stream().anyMatch(a -> a.startsWith(ROLE) || a.equals("drop"));
    }

    /** Datacenters without a member lose their replicas. */
    private void alter(ClusterName cluster, Written roles, Map<String, Integer> nodes) {
        roles.replicas
                .keySet()
                .removeIf(d -> !nodes.containsKey(d)
                        && world.members(cluster)
                                .noneMatch(n -> n.datacenter().value().equals(d)));
        nodes.forEach((datacenter, count) -> {
            int known = roles.replicas.getOrDefault(datacenter, 0);
            if (known < Math.min(REPLICAS, count) || known > count) {
                roles.replicas.put(datacenter, Math.min(REPLICAS, count));
            }
        });
    }

    /** Fewer of its members are down, or cut off, than the replicas that a quorum can miss. */
    private boolean hasQuorum(SimNode coordinator, String datacenter, Written roles) {
        int replicas = roles.replicas.getOrDefault(datacenter, 0);
        List<SimNode> members = world.members(coordinator.cluster())
                .filter(n -> n.datacenter().value().equals(datacenter))
                .toList();
        long missing = members.stream()
                .filter(n -> n.mode() != OperatingMode.NORMAL
                        || n.daemon().isSuspended()
                        || !world.isConnected(coordinator, n))
                .count();
        return !members.isEmpty() && missing <= replicas - (replicas / 2 + 1);
    }

    /** Writes the roles of the task, after {@link #replicate}. */
    void write(SimNode node, NodeTask task) {
        Map<String, NavigableSet<String>> roles = of(node.cluster()).roles;
        task.args().forEach((name, value) -> {
            if (name.startsWith(ROLE)) {
                NavigableSet<String> role = roles.computeIfAbsent(name.substring(ROLE.length()), r -> new TreeSet<>());
                role.removeIf(a -> a.startsWith("is "));
                role.add("is " + value);
            }
        });
        roles.forEach((name, role) -> {
            list(task, "leave." + name).map(r -> "member of " + r).forEach(role::remove);
            list(task, "revoke." + name).map(r -> "may " + r).forEach(role::remove);
            list(task, "member_of." + name).map(r -> "member of " + r).forEach(role::add);
            list(task, "grant." + name).map(r -> "may " + r).forEach(role::add);
        });
        list(task, "drop").forEach(dropped -> {
            roles.remove(dropped);
            roles.values().forEach(role -> role.remove("member of " + dropped));
        });
    }

    private static Stream<String> list(NodeTask task, String name) {
        return Optional.ofNullable(task.args().get(name)).stream().flatMap(v -> Arrays.stream(v.split(",")));
    }

    /** How the roles of the cluster differ from its spec. */
    public Optional<String> difference(ClusterSpec spec) {
        if (spec.roles() == null) {
            return Optional.empty();
        }
        Written is = of(spec.name());
        Map<String, NavigableSet<String>> wanted = new TreeMap<>();
        Objects.requireNonNull(spec.roles()).forEach(r -> wanted.put(r.name().value(), declared(r)));
        if (!is.roles.equals(wanted)) {
            return Optional.of("the roles of " + spec.name() + " are " + is.roles + ", declared " + wanted);
        }
        boolean replicated = is.replicas
                        .keySet()
                        .equals(spec.datacenterNames().stream()
                                .map(DatacenterName::value)
                                .collect(Collectors.toSet()))
                && spec.datacenters().stream().allMatch(d -> isReplicated(is, d));
        return replicated
                ? Optional.empty()
                : Optional.of("the roles of " + spec.name() + " have replicas " + is.replicas + ", declared "
                        + spec.datacenters());
    }

    private static boolean isReplicated(Written is, DatacenterSpec datacenter) {
        int replicas = is.replicas.getOrDefault(datacenter.name().value(), 0);
        return replicas >= Math.min(REPLICAS, datacenter.nodes()) && replicas <= datacenter.nodes();
    }

    private static NavigableSet<String> declared(RoleSpec role) {
        TreeSet<String> all = new TreeSet<>();
        String login = role.login() ? "login" : "";
        all.add("is " + (role.superuser() ? (login.isEmpty() ? "superuser" : "login,superuser") : login));
        role.memberOf().forEach(m -> all.add("member of " + m));
        role.grants().stream().map(RoleGrant::argument).forEach(g -> all.add("may " + g));
        return all;
    }
}
