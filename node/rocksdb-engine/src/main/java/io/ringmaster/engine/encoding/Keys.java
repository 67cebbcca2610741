package io.ringmaster.engine.encoding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.marshal.ByteArrayAccessor;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.jspecify.annotations.Nullable;

/**
 * Keys that RocksDB's bytewise order sorts as Cassandra does (CEP-25's byte-comparable form, version OSS50).
 *
 * <p>A partition is a prefix: {@code 40 token 40 key 38}. The key of its header record appends {@code 10}. The keys of
 * its rows append the clustering, whose first byte is at least {@code 20}. No partition's prefix is a prefix of
 * another.
 */
public final class Keys {
    private static final ByteComparable.Version VERSION = ByteComparable.Version.OSS50;
    /** Sorts before every row and every bound of its partition. */
    private static final byte HEADER = 0x10;
    /** Sorts after every row and every bound of its partition. */
    private static final byte END = (byte) 0xff;

    /** The common prefix of all keys of one Murmur3 token: the separator and eight bytes. */
    public static final int TOKEN_PREFIX_BYTES = 9;

    private static final ThreadLocal<ByteWriter> WRITER = ThreadLocal.withInitial(ByteWriter::new);

    private Keys() {}

    public static byte[] partition(DecoratedKey key) {
        return bytes(key);
    }

    /**
     * The least key of the partitions after a position.
     *
     * @param position null or the minimum for an end of the table
     * @param before whether a partition at the position itself is included
     * @return null for an end of the table
     */
    public static byte @Nullable [] position(@Nullable PartitionPosition position, boolean before) {
        return position == null || position.isMinimum() ? null : bytes(position.asComparableBound(before));
    }

    private static byte[] bytes(ByteComparable comparable) {
        ByteWriter out = WRITER.get().clear();
        out.all(comparable.asComparableBytes(VERSION));
        return out.toBytes();
    }

    public static byte[] header(byte[] partition) {
        return with(partition, HEADER);
    }

    /** Greater than every key of the partition, and smaller than every key of the next. */
    public static byte[] end(byte[] partition) {
        return with(partition, END);
    }

    private static byte[] with(byte[] partition, byte last) {
        byte[] key = Arrays.copyOf(partition, partition.length + 1);
        key[partition.length] = last;
        return key;
    }

    /** The key of a row, or the position of a bound between the keys of rows. */
    public static byte[] row(byte[] partition, ClusteringComparator comparator, ClusteringPrefix<?> clustering) {
        ByteWriter out = WRITER.get().clear();
        out.bytes(partition);
        out.all(comparator.asByteComparable(clustering).asComparableBytes(VERSION));
        return out.toBytes();
    }

    static byte[] bound(ClusteringComparator comparator, ClusteringBound<?> bound) {
        return bytes(comparator.asByteComparable(bound));
    }

    static ClusteringBound<?> bound(ClusteringComparator comparator, byte[] bytes, boolean isEnd) {
        return comparator.boundFromByteComparable(ByteArrayAccessor.instance, ByteComparable.fixedLength(bytes), isEnd);
    }

    static Clustering<?> clustering(ClusteringComparator comparator, byte[] key, int partitionLength) {
        return comparator.clusteringFromByteComparable(
                ByteArrayAccessor.instance,
                ByteComparable.fixedLength(key, partitionLength, key.length - partitionLength));
    }

    /** The partition of a header's or row's key. */
    public static DecoratedKey decorated(byte[] key, IPartitioner partitioner) {
        ByteSource.Peekable source = ByteSource.peekable(ByteSource.fixedLength(key));
        return partitioner.decorateKey(ByteBuffer.wrap(DecoratedKey.keyFromByteSource(source, VERSION, partitioner)));
    }

    public static boolean isHeader(byte[] key, int partitionLength) {
        return key.length == partitionLength + 1 && key[partitionLength] == HEADER;
    }

    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
