package io.ringmaster.playground.doctor;

import io.ringmaster.model.spec.Preset;
import java.util.Objects;

/**
 * Resources that a playground of this size needs.
 *
 * @param nodes nodes in each datacenter, each on its own machine
 * @param heapBytes Java heap of each Cassandra node
 * @param spareMachines machines in each datacenter beside those of the nodes
 * @param preset of the nodes
 */
public record Demand(int datacenters, int nodes, long heapBytes, int spareMachines, Preset preset) {
    public Demand {
        preset = Objects.requireNonNullElse(preset, Preset.DEVELOPMENT); // earlier versions stored none
    }

    public Demand(int datacenters, int nodes, long heapBytes) {
        this(datacenters, nodes, heapBytes, 0, Preset.DEVELOPMENT);
    }

    private static final long MIB = 1024 * 1024;
    /** Memory beside the heap: metaspace, compiled code, threads, direct buffers, and the executor. */
    private static final long BESIDE_THE_HEAP = 220 * MIB;

    /** Production nodes lock all of their memory, mapped files included, and compile with both compilers. */
    private static final long BESIDE_THE_HEAP_IN_PRODUCTION = 450 * MIB;

    private static final long SERVER = 220 * MIB;
    private static final long DISK_PER_NODE = 200 * MIB;
    private static final long DISK_FOR_BINARIES = 400 * MIB;

    public static final Demand DEFAULT = new Demand(2, 3, 256 * MIB);

    public int totalNodes() {
        return datacenters * nodes;
    }

    /** Machines in each datacenter. */
    public int machines() {
        return Math.max(nodes, MACHINES_AT_LEAST) + spareMachines;
    }

    public long memoryBytes() {
        long beside = preset == Preset.PRODUCTION ? BESIDE_THE_HEAP_IN_PRODUCTION : BESIDE_THE_HEAP;
        return totalNodes() * (heapBytes + beside) + datacenters * SERVER;
    }

    public long diskBytes() {
        return totalNodes() * DISK_PER_NODE + DISK_FOR_BINARIES;
    }

    /** One machine for each of the three racks. */
    private static final int MACHINES_AT_LEAST = 3;
}
