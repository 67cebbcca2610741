package io.ringmaster.model.spec;

/** A permission of Cassandra on data or roles; {@code ALL} that the resource has. */
public enum RolePermission {
    ALL,
    CREATE,
    ALTER,
    DROP,
    SELECT,
    MODIFY,
    AUTHORIZE,
    DESCRIBE,
    UNMASK,
    SELECT_MASKED
}
