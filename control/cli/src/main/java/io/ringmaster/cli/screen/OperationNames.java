package io.ringmaster.cli.screen;

/** Names in the server's catalogue of operations that have a command or a screen of their own. */
public final class OperationNames {
    public static final String BACKUP = "backup";
    public static final String BACKUP_CHECK = "backup-check";
    public static final String BACKUP_DELETE = "backup-delete";
    public static final String BACKUP_VERIFY = "backup-verify";
    public static final String DELETE = "delete";
    public static final String EVACUATE = "evacuate";
    public static final String REPAIR = "repair";

    private OperationNames() {}
}
