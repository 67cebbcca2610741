package io.ringmaster.server.access;

import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.refusal.ProblemException;
import java.util.List;

/** Checks of a caller's rights. A refusal names the role that is needed and how to get it. */
public final class Rights {
    private Rights() {}

    /**
     * For a request whose clusters were checked before.
     *
     * @param what such as {@code destroying data}
     */
    public static void require(Principal caller, Role role, String what) {
        if (!caller.role().includes(role)) {
            throw forbidden(
                    caller,
                    what + " needs the role " + role.label(),
                    role,
                    caller.clusters().value());
        }
    }

    /** @param what such as {@code a new cluster from a backup of rides} */
    public static void require(Principal caller, Role role, ClusterName cluster, String what) {
        if (!caller.role().includes(role) || !caller.sees(cluster)) {
            String needed = what + " needs the role " + role.label() + " for cluster " + cluster;
            throw forbidden(caller, needed, role, cluster.value());
        }
    }

    /** @param clusters that the token to ask for should extend to */
    public static ProblemException forbidden(Principal caller, String needed, Role role, String clusters) {
        String has = caller.isAnonymous()
                ? "without a token only reads are allowed"
                : caller.name() + " is " + caller.role().label() + " of clusters '" + caller.clusters() + "'";
        return ProblemException.of(Problem.of(ErrorCode.FORBIDDEN, needed + "; " + has, askFor(role, clusters)));
    }

    private static Advice askFor(Role role, String clusters) {
        return new Advice(
                "ask an admin for a token: {}",
                List.of("token create NAME --role " + role.label() + " --clusters '" + clusters + "'"));
    }
}
