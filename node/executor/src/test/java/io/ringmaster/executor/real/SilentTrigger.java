package io.ringmaster.executor.real;

import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.triggers.ITrigger;

/** A trigger that does nothing, for Cassandra's class loader. */
public final class SilentTrigger implements ITrigger {
    @Override
    public Collection<Mutation> augment(Partition update) {
        return List.of();
    }
}
