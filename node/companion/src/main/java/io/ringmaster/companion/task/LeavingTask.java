package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.task.TableComparison.Compared;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Checks, before this node's datacenter leaves, that every replica in the datacenters in {@code staying} has the
 * partitions that this node has. It changes nothing: each replica is asked alone, so no read repairs another one. A
 * repair has sent the rows before; this finds a replica that it did not reach.
 *
 * <p>It goes through the whole of a small table, and up to {@link #PARTITIONS} partitions of a large one. Nothing may
 * be missing.
 */
final class LeavingTask implements TaskBody {
    private static final long PARTITIONS = 100_000;

    private final List<String> staying;

    LeavingTask(Map<String, String> args) {
        this.staying = Tables.list(args, "staying");
        if (staying.isEmpty()) {
            throw new IllegalArgumentException("staying is empty: the datacenters to compare with");
        }
    }

    @Override
    public String run(Progress progress) throws Exception {
        String here = DatabaseDescriptor.getLocalDataCenter();
        List<String> keyspaces = Tables.keyspacesWithRows().stream()
                .filter(k -> Tables.datacenters(k).contains(here))
                .toList();
        keyspaces.forEach(k -> requireStaying(k, Tables.datacenters(k), staying));
        ComparedTables compared = new ComparedTables();
        for (String keyspace : keyspaces) {
            for (ColumnFamilyStore store : OpenKeyspaces.tables(keyspace)) {
                Tables.unlessDropped(store, progress, () -> compare(store.metadata(), progress))
                        .ifPresent(c -> compared.add(Tables.name(store), c.partitions(), c.share()));
            }
        }
        return compared.partitions() + " partitions looked at, all of them are in " + String.join(", ", staying)
                + " too" + compared.leftOut();
    }

    /** Checked for all keyspaces before any is compared: one without a staying replica has nothing to compare with. */
    static void requireStaying(String keyspace, Set<String> datacenters, List<String> staying) {
        if (Collections.disjoint(datacenters, staying)) {
            throw new IllegalStateException("keyspace " + keyspace + " has no replicas in " + String.join(", ", staying)
                    + " and would be lost");
        }
    }

    private Compared compare(TableMetadata table, Progress progress) throws InterruptedException {
        return new TableComparison(
                        table,
                        staying,
                        (here, there) -> new PartitionComparison(
                                table + " of " + String.join(", ", staying),
                                Map.of("this node", here),
                                there,
                                TableComparison.PAUSE),
                        progress)
                .compare(PARTITIONS);
    }

    @Override
    public void stop() {}
}
