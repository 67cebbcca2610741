package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.task.TableComparison.Compared;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Checks that this node has every partition that all replicas in the datacenter in {@code from} have. If a table lacks
 * some, its keyspace is streamed again and the table is compared once more. The task fails if any is missing then, or
 * if a table cannot be read.
 *
 * <p>It goes through the whole of a small table, and up to {@link #PARTITIONS} partitions of a large one. Views are
 * left out: they are built from their tables, and a difference of the two is not mended by a stream.
 *
 * <p>Other argument: {@code keyspaces}; those that are not replicated in both datacenters are left out.
 */
final class CompareTask implements TaskBody {
    private static final long PARTITIONS = 20_000;

    private final Map<String, String> args;
    private final String from;

    CompareTask(Map<String, String> args) {
        if (!args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to compare with");
        }
        this.args = args;
        this.from = args.get("from");
    }

    @Override
    public String run(Progress progress) throws Exception {
        List<String> wanted = Tables.keyspaces(args);
        Set<String> streamed = new TreeSet<>();
        ComparedTables compared = new ComparedTables();
        for (String keyspace : Tables.replicatedIn(DatabaseDescriptor.getLocalDataCenter(), from)) {
            if (!wanted.contains(keyspace)) {
                continue;
            }
            for (ColumnFamilyStore store : OpenKeyspaces.tables(keyspace)) {
                if (!store.metadata().isView()) {
                    Tables.unlessDropped(store, progress, () -> complete(store.metadata(), streamed, progress))
                            .ifPresent(c -> compared.add(Tables.name(store), c.partitions(), c.share()));
                }
            }
        }
        return compared.partitions() + " partitions of " + from + " looked at, all of them are here"
                + compared.leftOut()
                + (streamed.isEmpty() ? "" : ", streamed again: " + String.join(", ", streamed))
                + Tables.missing(args);
    }

    private Compared complete(TableMetadata table, Set<String> streamed, Progress progress) throws Exception {
        try {
            return compare(table, progress);
        } catch (PartitionComparison.MissingException e) {
            progress.at("streams " + table.keyspace + " again: " + FailureText.of(e), () -> 0);
            if (RebuildTask.rebuildUnlessDropped(from, table.keyspace)) {
                streamed.add(table.keyspace);
            }
        }
        try {
            return compare(table, progress);
        } catch (PartitionComparison.MissingException e) {
            throw new IllegalStateException(
                    FailureText.of(e) + ", though keyspace " + table.keyspace + " was streamed from " + from, e);
        }
    }

    private Compared compare(TableMetadata table, Progress progress) throws InterruptedException {
        return new TableComparison(
                        table,
                        List.of(from),
                        (here, there) -> new PartitionComparison(
                                table + " of " + from, there, Map.of("this node", here), TableComparison.PAUSE),
                        progress)
                .compare(PARTITIONS);
    }

    @Override
    public void stop() {}
}
