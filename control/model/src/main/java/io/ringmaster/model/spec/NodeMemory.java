package io.ringmaster.model.spec;

import java.util.Optional;

/**
 * The least memory for a heap: room for Cassandra's off-heap memory, the JVM itself and the executor. An idle
 * production node was measured to use up to 553 MiB beside its heap, executor included, see
 * docs/operations-measurements.md (918 - 432 + 67 MiB); its off-heap caches, which Cassandra sizes by the heap, fill
 * what is above that.
 */
public final class NodeMemory {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    public static final long MIN_HEAP_BYTES = 96 * MIB;

    private static final long DEVELOPMENT_BESIDE_HEAP = 256 * MIB;
    private static final long PRODUCTION_BESIDE_HEAP = 448 * MIB;
    /** Above this size the JVM cannot compress object pointers and needs more heap for the same data. */
    private static final long MAX_DEFAULT_HEAP_BYTES = 31 * GIB;

    private NodeMemory() {}

    public static long leastBytes(Preset preset, long heapBytes) {
        return preset == Preset.PRODUCTION
                ? heapBytes + heapBytes / 4 + PRODUCTION_BESIDE_HEAP
                : heapBytes + Math.max(DEVELOPMENT_BESIDE_HEAP, heapBytes / 4);
    }

    /** The largest heap, in whole MiB, for which the memory is enough. */
    public static long mostHeapBytes(Preset preset, long memoryBytes) {
        long most = preset == Preset.PRODUCTION
                ? (memoryBytes - PRODUCTION_BESIDE_HEAP) / 5 * 4
                : Math.min(memoryBytes - DEVELOPMENT_BESIDE_HEAP, memoryBytes / 5 * 4);
        return most / MIB * MIB;
    }

    public static long defaultHeapBytes(Preset preset, long memoryBytes) {
        long half = Math.min(memoryBytes / 2, MAX_DEFAULT_HEAP_BYTES) / MIB * MIB;
        return Math.min(half, mostHeapBytes(preset, memoryBytes));
    }

    /** A note on a spec whose resources are those of its cluster, which an earlier release took; empty if they fit. */
    public static Optional<String> note(ClusterSpec spec) {
        NodeResources resources = spec.resources();
        long least = leastBytes(spec.preset(), resources.heapBytes());
        return resources.memoryBytes() >= least
                ? Optional.empty()
                : Optional.of("node.memory stays " + Size.text(resources.memoryBytes()) + ", little for a heap of "
                        + Size.text(resources.heapBytes()) + ": raise it to " + Size.text(least) + " or more ("
                        + rule(spec.preset()) + "), or lower node.heap");
    }

    /** The rule of {@link #leastBytes} in words. */
    public static String rule(Preset preset) {
        return preset == Preset.PRODUCTION
                ? "preset production: the heap, a quarter of it, and 448 MiB"
                : "preset development: the heap and the larger of 256 MiB and a quarter of it";
    }
}
