package io.ringmaster.engine.encoding;

import java.util.Arrays;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.Slices;

/** The slices of a read as byte-comparable bounds, to find out which stored ranges they intersect. */
final class SliceBounds {
    private final byte[][] starts;
    private final byte[][] ends;

    SliceBounds(Slices slices, ClusteringComparator comparator) {
        starts = new byte[slices.size()][];
        ends = new byte[slices.size()][];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = Keys.bound(comparator, slices.get(i).start());
            ends[i] = Keys.bound(comparator, slices.get(i).end());
        }
    }

    /** Whether any slice intersects the range whose bounds are in parts of an array. Slices are sorted and disjoint. */
    boolean intersect(byte[] array, int start, int startLength, int end, int endLength) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(ends[middle], array, start, startLength) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low < starts.length && compare(starts[low], array, end, endLength) < 0;
    }

    private static int compare(byte[] bound, byte[] array, int from, int length) {
        return Arrays.compareUnsigned(bound, 0, bound.length, array, from, from + length);
    }
}
