package io.ringmaster.cli.command;

/** Which roles the spec of a restored cluster declares. */
enum RestoredRoles {
    /** Those of the spec in the backup, so that the server must find their passwords under the new name. */
    KEEP,
    /** Nobody can log in before roles are applied. */
    NONE
}
