package io.ringmaster.companion.task;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The kinds of work, by the names of {@code NodeTask.Kind}. A new kind is one file and one line here. */
final class Works {
    private static final Map<String, Function<Map<String, String>, Work>> KINDS = new TreeMap<>(Map.ofEntries(
            Map.entry("FLUSH", args -> new TableWork(TableWork.Kind.FLUSH, args)),
            Map.entry("COMPACT", args -> new TableWork(TableWork.Kind.COMPACT, args)),
            Map.entry("CLEANUP", args -> new TableWork(TableWork.Kind.CLEANUP, args)),
            Map.entry("GARBAGE_COLLECT", args -> new TableWork(TableWork.Kind.GARBAGE_COLLECT, args)),
            Map.entry("UPGRADE_SSTABLES", args -> new TableWork(TableWork.Kind.UPGRADE_SSTABLES, args)),
            Map.entry("DRAIN", args -> new DrainWork()),
            Map.entry("REPAIR", RepairWork::new),
            Map.entry("PROBE", ProbeWork::new),
            Map.entry("REBUILD", args -> new StreamWork(StreamWork.Kind.REBUILD, args)),
            Map.entry("COMPARE", CompareWork::new),
            Map.entry("DECOMMISSION", args -> new StreamWork(StreamWork.Kind.DECOMMISSION, args)),
            Map.entry("REMOVE", args -> new StreamWork(StreamWork.Kind.REMOVE, args)),
            Map.entry("REPLICATE", ReplicateWork::new)));

    private Works() {}

    static Work of(String kind, Map<String, String> args) {
        Function<Map<String, String>, Work> work = KINDS.get(kind);
        if (work == null) {
            throw new IllegalArgumentException("kind '" + kind + "' must be one of " + KINDS.keySet());
        }
        return work.apply(args);
    }
}
