package io.ringmaster.lab.ring;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A ring of one datacenter, dc1, with racks r1, r2 and so on.
 *
 * @param heapMiB heap of each node
 * @param caps limits of each node, or empty for none
 * @param settings further settings of cassandra.yaml, name to value
 */
public record RingSpec(
        int racks, int nodesPerRack, int heapMiB, Jvm jvm, Optional<CapLimits> caps, Map<String, String> settings) {
    private static final int HEAP_MIB = 512;
    /** This computer has room for no more. */
    private static final int MOST_NODES = 6;

    public RingSpec {
        settings = Map.copyOf(settings);
        if (racks < 1 || nodesPerRack < 1 || racks * nodesPerRack > MOST_NODES) {
            throw new IllegalArgumentException(
                    racks + " x " + nodesPerRack + " nodes: a ring has 1 to " + MOST_NODES + " nodes");
        }
    }

    /** Nodes with 512 MiB of heap, G1, the JDK of this process, and no limits. */
    public static RingSpec of(int racks, int nodesPerRack) {
        return new RingSpec(racks, nodesPerRack, HEAP_MIB, Jvm.ofThisProcess(), Optional.empty(), Map.of());
    }

    public RingSpec heap(int mebibytes) {
        return new RingSpec(racks, nodesPerRack, mebibytes, jvm, caps, settings);
    }

    public RingSpec jvm(Jvm other) {
        return new RingSpec(racks, nodesPerRack, heapMiB, other, caps, settings);
    }

    public RingSpec caps(CapLimits limits) {
        return new RingSpec(racks, nodesPerRack, heapMiB, jvm, Optional.of(limits), settings);
    }

    /** Adds a setting of cassandra.yaml, such as {@code memtable_allocation_type} and {@code heap_buffers}. */
    public RingSpec setting(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(name, value);
        return new RingSpec(racks, nodesPerRack, heapMiB, jvm, caps, all);
    }

    int size() {
        return racks * nodesPerRack;
    }

    /** @param index from 0 on; neighbours in the ring are in different racks */
    String rack(int index) {
        return "r" + (index % racks + 1);
    }

    /** The token of a node such that all nodes own equal parts of Murmur3's range. */
    String token(int index) {
        return BigInteger.ONE
                .shiftLeft(64)
                .multiply(BigInteger.valueOf(index))
                .divide(BigInteger.valueOf(size()))
                .add(BigInteger.valueOf(Long.MIN_VALUE))
                .toString();
    }
}
