package io.ringmaster.model.error;

/** Stable names of errors; users script against them, so a name never changes its meaning. */
public enum ErrorCode {
    REQUEST_INVALID(Kind.USER),
    SPEC_INVALID(Kind.USER),
    SPEC_CHANGE_UNSUPPORTED(Kind.USER),
    CLUSTER_UNKNOWN(Kind.USER),
    CLUSTER_EXISTS(Kind.USER),
    CLUSTER_BUSY(Kind.USER),
    NODE_UNKNOWN(Kind.USER),
    MACHINE_UNKNOWN(Kind.USER),
    VOLUME_UNKNOWN(Kind.USER),
    PLAN_UNKNOWN(Kind.USER),
    PLAN_STATE(Kind.USER),
    STEP_UNKNOWN(Kind.USER),
    OPERATION_UNKNOWN(Kind.USER),
    OPERATION_UNSAFE(Kind.USER),
    DATACENTER_UNKNOWN(Kind.USER),
    /** A location of backups is not known to a server, or its file is wrong. */
    LOCATION_UNKNOWN(Kind.USER),
    BACKUP_UNKNOWN(Kind.USER),
    VERSION_CONFLICT(Kind.USER),
    PLAN_CHANGED(Kind.USER),
    UNAUTHORIZED(Kind.USER),
    /** The caller is known, but its role or its clusters do not suffice. */
    FORBIDDEN(Kind.USER),
    TOKEN_UNKNOWN(Kind.USER),
    HOST_UNKNOWN(Kind.USER),
    ORIGIN_FOREIGN(Kind.USER),
    NO_MACHINE_FITS(Kind.RESOURCES),
    MACHINE_LOST(Kind.RESOURCES),
    /** A node is down for half of the time after which its volume is outdated: a warning. */
    VOLUME_AGING(Kind.RESOURCES),
    /** The same for four fifths of that time. */
    VOLUME_EXPIRING(Kind.RESOURCES),
    /** The volume was away for so long that deleted rows could return from it. */
    VOLUME_OUTDATED(Kind.RESOURCES),
    /** A node cannot write to its volume: the file system is read-only, or belongs to somebody else. */
    VOLUME_READ_ONLY(Kind.RESOURCES),
    /** A node that needs a certificate has had none for minutes. */
    CERTIFICATE_MISSING(Kind.RESOURCES),
    /** A certificate was not renewed in time: its node is refused by others once it has ended. */
    CERTIFICATE_EXPIRING(Kind.RESOURCES),
    /** A node does not use the newest certificate that it was given. */
    CERTIFICATE_REJECTED(Kind.RESOURCES),
    /** Somebody changed declared roles by CQL, or made a superuser that the spec does not declare. */
    ROLES_DIFFER(Kind.USER),
    /** A node's volume, or its file system, is 80 % full: a warning. */
    DISK_FILLING(Kind.RESOURCES),
    /** The same for 90 %. */
    DISK_NEARLY_FULL(Kind.RESOURCES),
    DISK_FULL(Kind.RESOURCES),
    PEER_UNREACHABLE(Kind.RESOURCES),
    POOL_UNAVAILABLE(Kind.RESOURCES),
    STORE_UNAVAILABLE(Kind.RESOURCES),
    /** A store of backups does not answer, or refuses. */
    BACKUP_STORE_FAILED(Kind.RESOURCES),
    /** A manifest is cut, changed or foreign. */
    BACKUP_DAMAGED(Kind.RESOURCES),
    NOT_LEADER(Kind.RESOURCES),
    BINARIES_UNAVAILABLE(Kind.RESOURCES),
    EXECUTOR_FAILED(Kind.RESOURCES),
    /** No server gave a node its seeds: the servers are down, or wait for another datacenter. The node asks again. */
    SEEDS_UNKNOWN(Kind.RESOURCES),
    DAEMON_FAILED(Kind.RESOURCES),
    TASK_FAILED(Kind.RESOURCES),
    CONFIGURATION_REJECTED(Kind.USER),
    PLAN_UNSAFE(Kind.INTERNAL),
    INTERNAL(Kind.INTERNAL);

    /** Who can fix it: the caller, the provider of resources, or the makers of Ringmaster. */
    public enum Kind {
        USER,
        RESOURCES,
        INTERNAL
    }

    private final Kind kind;

    ErrorCode(Kind kind) {
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
