package io.ringmaster.wire.api;

/**
 * The room on the volume of a node, as its executor measured it about a minute ago at most.
 *
 * @param usedBytes the files of the volume; a file with several hard links counts once
 * @param snapshotBytes the files among them that only snapshots hold
 * @param diskBytes the size of the volume by the spec, {@code node.disk}
 * @param totalBytes the size of the file system of the volume without what is reserved for root; other nodes and
 *     programs may share it
 * @param usableBytes the bytes that the node can still write there
 */
public record NodeVolume(long usedBytes, long snapshotBytes, long diskBytes, long totalBytes, long usableBytes) {}
