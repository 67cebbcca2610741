package io.ringmaster.executor.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.SkipListMemtable;
import org.apache.cassandra.schema.TableMetadataRef;

/** A memtable whose flush lasts as long as a file exists in the directory that Cassandra runs in. */
public final class HeldMemtable extends SkipListMemtable {
    /** Read by Cassandra. */
    public static final Memtable.Factory FACTORY = HeldMemtable::new;

    static final String HOLD = "hold-flush";

    /** A file that exists while a flush is held. */
    static final String HELD = "flush-held";

    private HeldMemtable(AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef metadata, Owner owner) {
        super(lowerBound, metadata, owner);
    }

    @Override
    public FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
        try {
            while (Files.exists(Path.of(HOLD))) {
                Files.writeString(Path.of(HELD), "");
                Thread.sleep(20);
            }
            Files.deleteIfExists(Path.of(HELD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return super.getFlushSet(from, to);
    }
}
