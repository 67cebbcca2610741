package io.ringmaster.companion.task;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The task bodies by the names of {@code NodeTask.Kind}. A new kind is one class and one line here. */
final class TaskTypes {
    private static final Map<String, Function<Map<String, String>, TaskBody>> KINDS = new TreeMap<>(Map.ofEntries(
            Map.entry("FLUSH", args -> new TableTask(TableTask.Kind.FLUSH, args)),
            Map.entry("COMPACT", args -> new TableTask(TableTask.Kind.COMPACT, args)),
            Map.entry("CLEANUP", args -> new TableTask(TableTask.Kind.CLEANUP, args)),
            Map.entry("GARBAGE_COLLECT", args -> new TableTask(TableTask.Kind.GARBAGE_COLLECT, args)),
            Map.entry("UPGRADE_SSTABLES", args -> new TableTask(TableTask.Kind.UPGRADE_SSTABLES, args)),
            Map.entry("DRAIN", args -> new DrainTask()),
            Map.entry("REPAIR", RepairTask::new),
            Map.entry("PROBE", ProbeTask::new),
            Map.entry("REBUILD", RebuildTask::new),
            Map.entry("COMPARE", args -> args.containsKey("staying") ? new LeavingTask(args) : new CompareTask(args)),
            Map.entry("DECOMMISSION", args -> new DecommissionTask()),
            Map.entry("REMOVE", RemoveTask::new),
            Map.entry("CLEAR_SNAPSHOTS", args -> new ClearSnapshotsTask()),
            Map.entry("BACKUP_SNAPSHOT", SnapshotTask::new),
            Map.entry("RESTORE_SCHEMA", RestoreSchemaTask::new),
            Map.entry("RESTORE_IMPORT", RestoreImportTask::new),
            Map.entry("RESTORE_INDEXES", RestoreIndexesTask::new),
            Map.entry("RESTORE_BUILDS", RestoreBuildsTask::new),
            Map.entry("REPLICATE", ReplicateTask::new),
            Map.entry("ACCESS", AccessTask::new)));

    private TaskTypes() {}

    static Set<String> kinds() {
        return KINDS.keySet();
    }

    static TaskBody of(String kind, Map<String, String> args) {
        Function<Map<String, String>, TaskBody> type = KINDS.get(kind);
        if (type == null) {
            throw new IllegalArgumentException("kind '" + kind + "' must be one of " + KINDS.keySet());
        }
        return type.apply(args);
    }
}
