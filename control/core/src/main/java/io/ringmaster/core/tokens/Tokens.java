package io.ringmaster.core.tokens;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Computes one token per node before the node exists, in the range of {@code Murmur3Partitioner} (-2^63 to 2^63-1).
 *
 * <p>A token must be unique over all datacenters of a cluster. Every token is a multiple of {@value #STRIDE} plus the
 * position of its datacenter in the spec, from 1: two datacenters never choose the same token, even without knowing of
 * each other. No token is -2^63, which Cassandra reserves as the ring's minimum.
 */
public final class Tokens {
    /** More than the datacenters of any cluster, and negligible beside the 2^64 tokens of the ring. */
    static final int STRIDE = 1024;

    private static final BigInteger RING = BigInteger.TWO.pow(Long.SIZE);

    private Tokens() {}

    /** The tokens of a datacenter's nodes by index, evenly spaced, for the first creation of a cluster. */
    public static List<String> forFirstCreation(ClusterSpec spec, DatacenterName datacenter) {
        int nodes = spec.datacenter(datacenter).orElseThrow().nodes();
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            BigInteger share = RING.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(nodes));
            tokens.add(Long.toString(ofDatacenter(Long.MIN_VALUE + share.longValue(), number(spec, datacenter))));
        }
        return List.copyOf(tokens);
    }

    /**
     * Tokens for nodes that join a live ring one after another: each halves the range of its datacenter that is the
     * largest then.
     *
     * @param existing the tokens of the datacenter's nodes; if there are none, this is a first creation of
     *     {@code count} nodes
     * @throws IllegalArgumentException if the ring has no room left between two tokens
     */
    public static List<String> forJoining(
            ClusterSpec spec, DatacenterName datacenter, Collection<String> existing, int count) {
        TreeSet<Long> ring = new TreeSet<>();
        existing.forEach(token -> ring.add(Long.parseLong(token)));
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long token =
                    ofDatacenter(ring.isEmpty() ? Long.MIN_VALUE : middleOfLargest(ring), number(spec, datacenter));
            if (!ring.add(token)) {
                throw new IllegalArgumentException("no free token left in " + datacenter + " beside " + token);
            }
            tokens.add(Long.toString(token));
        }
        return List.copyOf(tokens);
    }

    /** The fraction of the ring that the node of each token owns among these, in the given order. */
    public static List<Double> ownership(List<String> tokens) {
        TreeSet<Long> ring = new TreeSet<>();
        tokens.forEach(token -> ring.add(Long.parseLong(token)));
        return tokens.stream()
                .map(Long::parseLong)
                .map(token -> {
                    Long before = ring.lower(token);
                    return unsigned(width(before == null ? ring.last() : before, token, ring.size()))
                                    .doubleValue()
                            / RING.doubleValue();
                })
                .toList();
    }

    private static int number(ClusterSpec spec, DatacenterName datacenter) {
        return spec.datacenterNames().indexOf(datacenter) + 1;
    }

    private static long ofDatacenter(long token, int number) {
        return Math.floorDiv(token, (long) STRIDE) * STRIDE + number;
    }

    private static long middleOfLargest(NavigableSet<Long> ring) {
        long before = ring.last();
        long start = before;
        BigInteger largest = BigInteger.ZERO;
        for (long token : ring) {
            BigInteger width = unsigned(width(before, token, ring.size()));
            if (width.compareTo(largest) > 0) {
                largest = width;
                start = before;
            }
            before = token;
        }
        return start + largest.shiftRight(1).longValue();
    }

    /**
     * The width of the range between two tokens, as unsigned 64 bits. The whole ring does not fit and is one token
     * short.
     */
    private static long width(long from, long to, int size) {
        return size == 1 ? -1L : to - from;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }
}
