package io.ringmaster.core.assess;

import io.ringmaster.core.spec.LoginCaches;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The replicas of logins, roles and permissions in a datacenter, and what fails when one of them is down. Each node
 * reads them at LOCAL_QUORUM before it answers a request, and keeps them for a time.
 *
 * @param count 0 where nobody logs in, or no node reports the number
 * @param validity how long each node uses what it has read, before and after the change that is looked at
 * @param running how long nodes do now; what they read from cassandra.yaml counts from their start on
 * @param next how long they will, with the newest spec
 */
public record RoleReplicas(DatacenterName datacenter, int count, String validity, String running, String next) {
    /** Cassandra's keyspace with logins, roles and permissions. */
    public static final String KEYSPACE = "system_auth";

    /** The least number whose quorum is there without one of them. */
    private static final int ENOUGH = 3;

    static RoleReplicas of(View view, ClusterName cluster, DatacenterName datacenter) {
        Optional<ClusterSpec> spec =
                view.targetSpec(cluster).map(SpecRecord::spec).filter(ClusterSpec::requiresLogin);
        int count = spec.flatMap(s -> reported(view, cluster))
                .map(r -> r.getOrDefault(datacenter.value(), r.getOrDefault("*", 0)))
                .orElse(0);
        List<ClusterSpec> target = spec.stream().toList();
        List<ClusterSpec> running = spec.isEmpty() ? List.of() : ofDaemons(view, cluster);
        return new RoleReplicas(
                datacenter,
                count,
                LoginCaches.validity(
                        Stream.concat(running.stream(), target.stream()).toList()),
                LoginCaches.validity(running.isEmpty() ? target : running),
                LoginCaches.validity(target));
    }

    /** The versions of the spec that the daemons here were started with. */
    private static List<ClusterSpec> ofDaemons(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> view.spec(cluster, s.appliedSpecVersion()).stream())
                .map(SpecRecord::spec)
                .distinct()
                .toList();
    }

    /** The replicas by datacenter; under {@code *} before the roles were written for the first time. */
    public static Optional<Map<String, Integer>> reported(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .flatMap(r -> r.systemKeyspaces().stream())
                .filter(k -> k.name().equals(KEYSPACE))
                .map(k -> k.replicas())
                .findFirst();
    }

    private boolean isTooFew() {
        return count > 0 && count < ENOUGH;
    }

    /** Added to the statement that requests work: not for every client. */
    String condition() {
        return isTooFew() ? " for clients whose login and permissions the other nodes keep" : "";
    }

    Optional<String> whenOneIsDown() {
        return isTooFew()
                ? Optional.of("roles have " + count + (count == 1 ? " replica in " : " replicas in ") + datacenter
                        + ": while a node is down, the others let in and serve only clients whose login and"
                        + " permissions they have read before, for at most " + validity
                        + "; with three nodes they serve every client")
                : Optional.empty();
    }

    /** For a plan that restarts nodes with another spec. */
    Optional<String> whatChanges() {
        return running.equals(next)
                ? Optional.empty()
                : Optional.of("until it has restarted, a node keeps logins and permissions that it has read for "
                        + running + ", and from then on for " + next);
    }

    Map<String, Integer> asKeyspace() {
        return count == 0 ? Map.of() : Map.of(KEYSPACE, count);
    }
}
