package io.ringmaster.engine.encoding;

import java.util.Set;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.schema.TableMetadata;

/** The elements of sets and the keys of maps, each of them in a cell of its own. */
public final class CollectionElements {
    /** The types whose equal values have equal bytes. */
    private static final Set<AbstractType<?>> UNAMBIGUOUS = Set.of(
            AsciiType.instance,
            BytesType.instance,
            ByteType.instance,
            InetAddressType.instance,
            Int32Type.instance,
            LongType.instance,
            ShortType.instance,
            SimpleDateType.instance,
            TimeType.instance,
            TimeUUIDType.instance,
            TimestampType.instance,
            UTF8Type.instance,
            UUIDType.instance);

    private CollectionElements() {}

    /**
     * Whether equal elements of a collection in the table may have different bytes. Examples are the decimals 1.0 and
     * 1.00, the NaN values of a double, and a user-defined type without a field and with null in it.
     */
    public static boolean areAmbiguous(TableMetadata metadata) {
        return metadata.columns().stream()
                .anyMatch(column -> column.type instanceof CollectionType<?> type
                        && type.isMultiCell()
                        && !UNAMBIGUOUS.contains(type.nameComparator()));
    }
}
