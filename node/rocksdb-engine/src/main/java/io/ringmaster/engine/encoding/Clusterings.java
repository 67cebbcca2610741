package io.ringmaster.engine.encoding;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;

/**
 * Clustering values whose byte-comparable key loses bytes. Decimals are one example: 1.0 and 1.00 have the same key,
 * but Cassandra shows each as it was written, so the original bytes are stored as well.
 */
final class Clusterings {
    private static final Set<AbstractType<?>> PRESERVED = Set.of(
            AsciiType.instance,
            BytesType.instance,
            ByteType.instance,
            DoubleType.instance,
            FloatType.instance,
            InetAddressType.instance,
            Int32Type.instance,
            LongType.instance,
            ShortType.instance,
            SimpleDateType.instance,
            TimeType.instance,
            TimestampType.instance,
            UTF8Type.instance);

    private Clusterings() {}

    /** Whether each byte of a clustering can be restored from its key. */
    static boolean keysPreserve(ClusteringComparator comparator) {
        for (int i = 0; i < comparator.size(); i++) {
            if (!PRESERVED.contains(comparator.subtype(i).unwrap())) {
                return false;
            }
        }
        return true;
    }

    static byte[] serialize(Slice slice, ClusteringComparator comparator) {
        try (DataOutputBuffer out = new DataOutputBuffer()) {
            Slice.serializer.serialize(slice, out, MessagingService.VERSION_50, comparator.subtypes());
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Slice deserializeSlice(byte[] written, ClusteringComparator comparator) {
        try (BoundedInput in = new BoundedInput(written)) {
            return Slice.serializer.deserialize(in, MessagingService.VERSION_50, comparator.subtypes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Clustering<?> deserializeRow(byte[] written, ClusteringComparator comparator) {
        try (BoundedInput in = new BoundedInput(written)) {
            return Clustering.serializer.deserialize(in, MessagingService.VERSION_50, comparator.subtypes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rejects the length of a value beyond the end, before Cassandra allocates up to max_value_size for it. */
    private static final class BoundedInput extends DataInputBuffer {
        BoundedInput(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int readUnsignedVInt32() throws IOException {
            int length = super.readUnsignedVInt32();
            if (length > available()) {
                throw new EOFException("a length of " + length + ", with " + available() + " bytes left");
            }
            return length;
        }
    }
}
