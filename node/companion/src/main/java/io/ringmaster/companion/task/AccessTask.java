package io.ringmaster.companion.task;

import io.ringmaster.companion.access.AuthReplication;
import io.ringmaster.companion.access.DeclaredRole;
import io.ringmaster.companion.access.DeclaredRoleManager;
import io.ringmaster.companion.access.RoleWriter;
import io.ringmaster.companion.cassandra.FailureText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.exceptions.RequestExecutionException;

/**
 * Writes the declared roles of the cluster, and replicates roles in each datacenter of the argument {@code nodes},
 * {@code dc1:3,dc2:2}. {@code drop} names roles to remove; {@link DeclaredRole#of} lists the other arguments.
 *
 * <p>Roles are written at EACH_QUORUM. While a datacenter is cut off, or too many replicas are down, the task waits and
 * says so: a role that only some nodes know would be let in at some of them.
 */
final class AccessTask implements TaskBody {
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration WITHOUT_LIMIT = Duration.ofDays(365);
    private static final String STOPPED = "stopped before the roles were written";

    private final Map<String, Integer> nodes = new TreeMap<>();
    private final List<DeclaredRole> roles;
    private final List<String> dropped;

    AccessTask(Map<String, String> args) {
        for (String part : Tables.list(args, "nodes")) {
            if (!part.matches("[a-z][a-z0-9-]*:\\d{1,6}")) {
                throw new IllegalArgumentException("nodes '" + part + "' must be a datacenter and its nodes: dc1:3");
            }
            int colon = part.indexOf(':');
            nodes.put(part.substring(0, colon), Integer.parseInt(part.substring(colon + 1)));
        }
        this.roles = DeclaredRole.of(args);
        this.dropped = Tables.list(args, "drop");
    }

    @Override
    public String run(Progress progress) throws Exception {
        if (!DeclaredRoleManager.isInUse()) {
            throw new IllegalStateException(
                    "this Cassandra was started without roles; restart the node, then retry the plan");
        }
        while (true) {
            try {
                return write(progress);
            } catch (RequestExecutionException e) {
                progress.at("waits, and writes the roles again: " + FailureText.of(e), () -> 0);
            }
            Pause.of(RETRY, progress);
            if (progress.isStopped()) {
                return STOPPED;
            }
        }
    }

    private String write(Progress progress) throws InterruptedException {
        progress.at("replicates roles", () -> 0);
        boolean altered = AuthReplication.alter(nodes);
        progress.at("waits until all nodes have one schema", () -> 0);
        if (!AgreedSchema.await(WITHOUT_LIMIT, progress)) {
            return STOPPED;
        }
        RoleWriter writer = new RoleWriter();
        if (!writesRoles() && writer.isDefaultSuperuserForbidden()) {
            return altered ? replicated() : "the replication of roles is as it should be";
        }
        progress.at("writes roles", () -> 0);
        writer.forbidDefaultSuperuser();
        roles.forEach(writer::write);
        roles.forEach(writer::writeMemberships);
        roles.forEach(writer::writeGrants);
        dropped.forEach(writer::drop);
        progress.at("reads the roles back", () -> 0);
        roles.forEach(writer::check);
        return (altered ? replicated() + "; " : "")
                + roles.size() + " roles written and read back"
                + (dropped.isEmpty() ? "" : ", dropped " + String.join(", ", dropped));
    }

    /** The first task of a cluster without declared roles has a row to write, too; each later one only replicates. */
    boolean writesRoles() {
        return !roles.isEmpty() || !dropped.isEmpty();
    }

    private String replicated() {
        return "roles replicated in " + String.join(", ", nodes.keySet());
    }

    @Override
    public void stop() {}
}
