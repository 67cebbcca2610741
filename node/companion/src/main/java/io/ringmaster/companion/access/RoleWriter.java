package io.ringmaster.companion.access;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.IAuthorizer;
import org.apache.cassandra.auth.IRoleManager;
import org.apache.cassandra.auth.IRoleManager.Option;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.auth.RoleOptions;
import org.apache.cassandra.auth.RoleResource;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.exceptions.RequestExecutionException;

/**
 * Writes roles and permissions, at Cassandra's level for that: EACH_QUORUM. Each method may be repeated.
 *
 * <p>{@code CREATE ROLE} as a statement fails inside the process, because it grants to the user who asks. So the role
 * manager and the authorizer are called directly.
 */
public final class RoleWriter {
    private static final AuthenticatedUser SYSTEM = AuthenticatedUser.SYSTEM_USER;

    private final IRoleManager roles = DatabaseDescriptor.getRoleManager();
    private final IAuthorizer authorizer = DatabaseDescriptor.getAuthorizer();

    /**
     * A node whose configuration somebody changes to Cassandra's own role manager would create a superuser with a known
     * password. A row that is newer than Cassandra's forbids it. It is older than any that users write.
     */
    public void forbidDefaultSuperuser() {
        QueryProcessor.process(
                "INSERT INTO system_auth.roles (role, is_superuser, can_login, salted_hash)"
                        + " VALUES ('cassandra', false, false, '') USING TIMESTAMP 1",
                ConsistencyLevel.EACH_QUORUM);
    }

    public void write(DeclaredRole role) {
        RoleResource resource = RoleResource.role(role.name());
        RoleOptions options = new RoleOptions();
        options.setOption(Option.LOGIN, role.login());
        options.setOption(Option.SUPERUSER, role.superuser());
        if (role.hash() != null) {
            options.setOption(Option.HASHED_PASSWORD, role.hash());
        }
        if (roles.isExistingRole(resource)) {
            roles.alterRole(SYSTEM, resource, options);
        } else {
            roles.createRole(SYSTEM, resource, options);
        }
    }

    public void writeMemberships(DeclaredRole role) {
        RoleResource member = RoleResource.role(role.name());
        Set<String> known = memberOf(member);
        for (String left : role.leaves()) {
            if (known.contains(left)) {
                roles.revokeRole(SYSTEM, RoleResource.role(left), member);
            }
        }
        for (String group : role.memberOf()) {
            if (!known.contains(group)) {
                roles.grantRole(SYSTEM, RoleResource.role(group), member);
            }
        }
    }

    private Set<String> memberOf(RoleResource member) {
        return roles.getRoles(member, false).stream()
                .map(RoleResource::getRoleName)
                .filter(name -> !name.equals(member.getRoleName()))
                .collect(Collectors.toSet());
    }

    public void writeGrants(DeclaredRole role) {
        RoleResource grantee = RoleResource.role(role.name());
        role.revokes().forEach(g -> authorizer.revoke(SYSTEM, g.permissions(), g.resource(), grantee));
        role.grants().forEach(g -> authorizer.grant(SYSTEM, g.permissions(), g.resource(), grantee));
    }

    /** Ends the login and takes all permissions back. */
    public void drop(String name) {
        RoleResource role = RoleResource.role(name);
        if (roles.isExistingRole(role)) {
            roles.dropRole(SYSTEM, role);
        }
        authorizer.revokeAllFrom(role);
        authorizer.revokeAllOn(role);
        // Cassandra only logs that these two failed
        if (!read("SELECT resource FROM system_auth.role_permissions WHERE role = ?", name)
                .isEmpty()) {
            throw new IllegalStateException("role " + name + " is dropped, but keeps permissions; retry the plan");
        }
    }

    /**
     * Reads a role back from a quorum of all replicas.
     *
     * @throws IllegalStateException naming what differs
     */
    public void check(DeclaredRole role) {
        UntypedResultSet.Row row = row(role.name());
        boolean same = row.getBoolean("can_login") == role.login()
                && row.getBoolean("is_superuser") == role.superuser()
                && (role.hash() == null || role.hash().equals(row.getString("salted_hash")));
        if (!same) {
            throw new IllegalStateException("role " + role.name() + " reads back with other attributes than were"
                    + " written: somebody changes it at the same time; retry the plan");
        }
        Set<String> groups = row.has("member_of") ? row.getSet("member_of", UTF8Type.instance) : Set.of();
        Set<String> missing = new TreeSet<>(role.memberOf());
        missing.removeAll(groups);
        role.grants().stream()
                .filter(g -> !granted(role.name(), g).containsAll(g.permissions()))
                .forEach(g -> missing.add(g.permissions() + " on " + g.resource()));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("role " + role.name() + " reads back without " + missing
                    + ": somebody changes it at the same time; retry the plan");
        }
    }

    private static UntypedResultSet.Row row(String name) {
        UntypedResultSet rows = read(
                "SELECT is_superuser, can_login, salted_hash, member_of FROM system_auth.roles WHERE role = ?", name);
        if (rows.isEmpty()) {
            throw new IllegalStateException("role " + name + " is not there after it was written; retry the plan");
        }
        return rows.one();
    }

    private static Set<Permission> granted(String role, DeclaredGrant grant) {
        UntypedResultSet rows = read(
                "SELECT permissions FROM system_auth.role_permissions WHERE role = ? AND resource = ?",
                role,
                grant.resource().getName());
        return rows.isEmpty() || !rows.one().has("permissions")
                ? Set.of()
                : rows.one().getSet("permissions", UTF8Type.instance).stream()
                        .map(Permission::valueOf)
                        .collect(Collectors.toSet());
    }

    private static UntypedResultSet read(String query, String... values) throws RequestExecutionException {
        List<ByteBuffer> bound =
                List.of(values).stream().map(UTF8Type.instance::decompose).toList();
        return Objects.requireNonNull(QueryProcessor.process(query, ConsistencyLevel.QUORUM, bound));
    }
}
