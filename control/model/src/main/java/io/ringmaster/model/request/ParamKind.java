package io.ringmaster.model.request;

/** What a value of an operation's parameter names, so that a form can offer the values. */
public enum ParamKind {
    DATACENTER,
    RACK,
    NODE,
    MACHINE,
    KEYSPACE,
    TABLE,
    NUMBER,
    DURATION,
    /** A store of backups, by its name. */
    LOCATION,
    /** A backup, by its id. */
    BACKUP,
    /** Bytes per second. */
    RATE,
    /** {@code true} or {@code false}; false without it. */
    FLAG,
    /** One of the parameter's choices. */
    CHOICE
}
