package io.ringmaster.model.access;

import io.ringmaster.model.name.ClusterName;

/**
 * An authenticated caller.
 *
 * @param name in the audit: the name of the API token; with the token file, the name that the caller states
 * @param credential the id of the API token, {@link #LOCAL_ADMIN} or {@link #ANONYMOUS}
 * @param address the IP address that the request came from
 */
public record Principal(String name, Role role, ClusterPattern clusters, String credential, String address) {
    /** The credential of the server's token file. */
    public static final String LOCAL_ADMIN = "local-admin";
    /** The credential of a caller without a token where reads are open. */
    public static final String ANONYMOUS = "anonymous";

    /** A caller with the content of the token file. */
    public static Principal localAdmin(String name, String address) {
        return new Principal(name, Role.ADMIN, ClusterPattern.ALL, LOCAL_ADMIN, address);
    }

    /** A caller without a token. */
    public static Principal anonymous(String name, String address) {
        return new Principal(name, Role.VIEWER, ClusterPattern.ALL, ANONYMOUS, address);
    }

    public boolean sees(ClusterName cluster) {
        return clusters.matches(cluster);
    }

    /** Whether the role extends to all clusters and to what belongs to none. */
    public boolean seesAll() {
        return clusters.isAll();
    }

    public boolean isAnonymous() {
        return credential.equals(ANONYMOUS);
    }
}
