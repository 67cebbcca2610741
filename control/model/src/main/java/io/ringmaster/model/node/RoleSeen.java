package io.ringmaster.model.node;

import java.util.List;

/**
 * A role that Cassandra has. Its password and the hash of it stay in Cassandra.
 *
 * @param name as CQL quotes it: users may choose names that a spec cannot have
 * @param passwordChanged whether the password is younger than the other attributes; a deploy writes them together
 * @param memberOf the roles whose permissions it has, too
 * @param grants its permissions on data and on roles
 */
public record RoleSeen(
        String name,
        boolean login,
        boolean superuser,
        boolean passwordChanged,
        List<String> memberOf,
        List<GrantSeen> grants) {
    public RoleSeen {
        memberOf = List.copyOf(memberOf);
        grants = List.copyOf(grants);
    }

    /**
     * The permissions on one resource.
     *
     * @param resource Cassandra's own name of it, as {@code RoleGrant} has it
     * @param permissions Cassandra's names, with {@code ALL} where the role has every one that the resource has
     */
    public record GrantSeen(String resource, List<String> permissions) {
        public GrantSeen {
            permissions = List.copyOf(permissions);
        }
    }
}
