package io.ringmaster.companion.access;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
import org.apache.cassandra.db.marshal.SetType;
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

    /** Of two writes the one with the later time counts, and the node that writes gives it the time of its clock. */
    private static final String NEWER = "somebody changes it at the same time, or the clock of a node that wrote it"
            + " before is ahead; compare the clocks of the nodes, then retry the plan";

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

    /** Whether one replica here has that row. It was written at EACH_QUORUM, so this need not be read at a quorum. */
    public boolean isDefaultSuperuserForbidden() {
        return !QueryProcessor.process(
                        "SELECT role FROM system_auth.roles WHERE role = 'cassandra'", ConsistencyLevel.LOCAL_ONE)
                .isEmpty();
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
        role.leaves().forEach(left -> leave(role.name(), left));
        Set<String> known = groups(row(role.name()));
        for (String group : role.memberOf()) {
            if (!known.contains(group)) {
                roles.grantRole(SYSTEM, RoleResource.role(group), RoleResource.role(role.name()));
            }
        }
    }

    /** As the role manager does it, but also for a group that an attempt before has dropped. */
    private static void leave(String member, String group) {
        ByteBuffer groups = SetType.getInstance(UTF8Type.instance, true).decompose(Set.of(group));
        QueryProcessor.process(
                "UPDATE system_auth.roles SET member_of = member_of - ? WHERE role = ?",
                ConsistencyLevel.EACH_QUORUM,
                List.of(groups, UTF8Type.instance.decompose(member)));
        QueryProcessor.process(
                "DELETE FROM system_auth.role_members WHERE role = ? AND member = ?",
                ConsistencyLevel.EACH_QUORUM,
                List.of(UTF8Type.instance.decompose(group), UTF8Type.instance.decompose(member)));
    }

    public void writeGrants(DeclaredRole role) {
        RoleResource grantee = RoleResource.role(role.name());
        role.revokes().forEach(g -> authorizer.revoke(SYSTEM, g.permissions(), g.resource(), grantee));
        role.grants().forEach(g -> authorizer.grant(SYSTEM, g.permissions(), g.resource(), grantee));
    }

    /**
     * Ends the login and takes all permissions back.
     *
     * @throws IllegalStateException the role, or a permission, is still there
     */
    public void drop(String name) {
        RoleResource role = RoleResource.role(name);
        // also without its row: an attempt before may have ended between that and the members
        roles.dropRole(SYSTEM, role);
        authorizer.revokeAllFrom(role);
        authorizer.revokeAllOn(role);
        if (!read("SELECT role FROM system_auth.roles WHERE role = ?", name).isEmpty()) {
            throw new IllegalStateException("role " + name + " is still there after it was dropped: " + NEWER);
        }
        // Cassandra only logs that these two failed
        if (!read("SELECT resource FROM system_auth.role_permissions WHERE role = ?", name)
                .isEmpty()) {
            throw new IllegalStateException("role " + name + " is dropped, but keeps permissions: " + NEWER);
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
            throw new IllegalStateException(
                    "role " + role.name() + " reads back with other attributes than were written: " + NEWER);
        }
        Difference found = Difference.of(role, groups(row), grant -> granted(role.name(), grant));
        if (!found.isEmpty()) {
            throw new IllegalStateException("role " + role.name() + " reads back " + found + ": " + NEWER);
        }
    }

    private static Set<String> groups(UntypedResultSet.Row row) {
        return row.has("member_of") ? row.getSet("member_of", UTF8Type.instance) : Set.of();
    }

    private static UntypedResultSet.Row row(String name) {
        UntypedResultSet rows = read(
                "SELECT is_superuser, can_login, salted_hash, member_of FROM system_auth.roles WHERE role = ?", name);
        if (rows.isEmpty()) {
            throw new IllegalStateException("role " + name + " is not there after it was written: " + NEWER);
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
