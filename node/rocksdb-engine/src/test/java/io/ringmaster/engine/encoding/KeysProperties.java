package io.ringmaster.engine.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.RandomTable;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;

class KeysProperties {
    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void keysSortAsCassandraSortsPartitionsRowsAndBounds(@ForAll long seed) {
        InProcess.start();
        RandomTable table = RandomTable.of(new Random(seed));
        ClusteringComparator comparator = table.metadata().comparator;
        DecoratedKey one = table.key();
        DecoratedKey other = table.key();
        byte[] partition = Keys.partition(one);
        assertThat(sign(Arrays.compareUnsigned(partition, Keys.partition(other))))
                .isEqualTo(sign(one.compareTo(other)));
        assertThat(Keys.decorated(Keys.header(partition), table.metadata().partitioner))
                .isEqualTo(one);

        Slice slice = table.slice();
        for (ClusteringPrefix<?> a : new ClusteringPrefix<?>[] {table.clustering(), slice.start(), slice.end()}) {
            byte[] key = Keys.row(partition, comparator, a);
            assertThat(Arrays.compareUnsigned(Keys.header(partition), key)).isNegative();
            assertThat(Arrays.compareUnsigned(key, Keys.end(partition))).isNegative();
            Clustering<?> row = table.clustering();
            assertThat(sign(Arrays.compareUnsigned(key, Keys.row(partition, comparator, row))))
                    .as("%s against %s", a.toString(table.metadata()), row.toString(table.metadata()))
                    .isEqualTo(sign(comparator.compare(a, row)));
        }
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void aClusteringIsDecodedFromItsKeyAndByteForByteWhereKeysPreserveIt(@ForAll long seed) {
        InProcess.start();
        RandomTable table = RandomTable.of(new Random(seed));
        ClusteringComparator comparator = table.metadata().comparator;
        byte[] partition = Keys.partition(table.key());
        Clustering<?> written = table.clustering();
        byte[] key = Keys.row(partition, comparator, written);
        Clustering<?> read = comparator.size() == 0 ? written : Keys.clustering(comparator, key, partition.length);
        assertThat(comparator.compare(read, written)).isZero();
        if (Clusterings.keysPreserve(comparator)) {
            for (int i = 0; i < comparator.size(); i++) {
                assertThat(read.bufferAt(i)).isEqualTo(written.bufferAt(i));
            }
        }
    }

    private static int sign(int comparison) {
        return Integer.signum(comparison);
    }
}
