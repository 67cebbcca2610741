package io.ringmaster.model.spec;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Permissions on one resource, which may not exist yet.
 *
 * @param resource Cassandra's own name of it: {@code data}, {@code data/trips}, {@code data/trips/places}, {@code
 *     roles} or {@code roles/app}
 */
public record RoleGrant(List<RolePermission> permissions, String resource) {
    public RoleGrant {
        permissions = permissions.stream().distinct().sorted().toList();
    }

    /** As CQL has it: {@code SELECT, MODIFY ON KEYSPACE trips}. */
    public String text() {
        return joined(", ") + " ON " + resourceText();
    }

    /** As the task of a node has it: {@code SELECT+MODIFY data/trips}. */
    public String argument() {
        return joined("+") + " " + resource;
    }

    private String joined(String delimiter) {
        return permissions.stream().map(RolePermission::name).collect(Collectors.joining(delimiter));
    }

    private String resourceText() {
        String[] parts = resource.split("/", -1);
        boolean data = parts[0].equals("data");
        return switch (parts.length) {
            case 1 -> data ? "ALL KEYSPACES" : "ALL ROLES";
            case 2 -> (data ? "KEYSPACE " : "ROLE ") + parts[1];
            default -> "TABLE " + parts[1] + "." + parts[2];
        };
    }
}
