package io.ringmaster.core.assess;

import io.ringmaster.core.spec.LoginCaches;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The replicas of logins, roles and permissions in a datacenter, and what fails when one of them is down. Each node
 * reads them at LOCAL_QUORUM before it answers a request, and keeps them for a time.
 *
 * @param count 0 where nobody logs in, or no node reports the number
 * @param validity how long a node uses what it has read
 */
public record RoleReplicas(DatacenterName datacenter, int count, String validity) {
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
        return new RoleReplicas(
                datacenter, count, spec.map(LoginCaches::validity).orElse(""));
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

    Map<String, Integer> asKeyspace() {
        return count == 0 ? Map.of() : Map.of(KEYSPACE, count);
    }
}
