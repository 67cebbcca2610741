package io.ringmaster.companion.access;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.auth.Resources;

/**
 * Permissions on one resource, written {@code SELECT+MODIFY data/trips}: the permissions, or {@code ALL} that the
 * resource has, and Cassandra's own name of the resource. A keyspace or table may not exist yet.
 */
public record DeclaredGrant(Set<Permission> permissions, IResource resource) {
    private static final String ALL = "ALL";

    public DeclaredGrant {
        permissions = Set.copyOf(permissions);
    }

    /** @throws IllegalArgumentException if the text is malformed, or the resource does not have a permission */
    static DeclaredGrant of(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is not a grant such as SELECT+MODIFY data/trips");
        }
        IResource resource = Resources.fromName(parts[1]);
        Set<Permission> permissions = parts[0].equals(ALL)
                ? resource.applicablePermissions()
                : Arrays.stream(parts[0].split("\\+")).map(Permission::valueOf).collect(Collectors.toSet());
        if (!resource.applicablePermissions().containsAll(permissions)) {
            throw new IllegalArgumentException(
                    "'" + text + "': " + resource + " has the permissions " + resource.applicablePermissions());
        }
        return new DeclaredGrant(permissions, resource);
    }

    static List<DeclaredGrant> list(List<String> texts) {
        return texts.stream().map(DeclaredGrant::of).toList();
    }
}
