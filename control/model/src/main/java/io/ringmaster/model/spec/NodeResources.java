package io.ringmaster.model.spec;

/**
 * What one node claims on its machine.
 *
 * @param cpuMillis thousandths of a core, as Kubernetes counts
 * @param memoryBytes everything the node's processes may use
 * @param heapBytes the Java heap inside {@code memoryBytes}
 * @param diskBytes the size of its volume
 */
public record NodeResources(int cpuMillis, long memoryBytes, long heapBytes, long diskBytes) {}
