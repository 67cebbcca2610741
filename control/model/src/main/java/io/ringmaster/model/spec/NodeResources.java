package io.ringmaster.model.spec;

/**
 * The resources that one node reserves on its machine.
 *
 * @param cpuMillis thousandths of a core, as Kubernetes counts
 * @param memoryBytes the memory limit of all processes of the node
 * @param heapBytes the Java heap inside {@code memoryBytes}
 * @param diskBytes the size of its volume
 */
public record NodeResources(int cpuMillis, long memoryBytes, long heapBytes, long diskBytes) {}
