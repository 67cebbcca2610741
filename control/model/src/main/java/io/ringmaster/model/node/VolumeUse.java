package io.ringmaster.model.node;

/**
 * The bytes of a node's volume, measured about once a minute.
 *
 * @param usedBytes the files of the volume; a file with several hard links counts once
 * @param snapshotBytes the files among them that only snapshots hold
 * @param totalBytes the size of the file system of the volume without what is reserved for root; other nodes and
 *     programs may share it
 * @param usableBytes the bytes that the node can still write there
 */
public record VolumeUse(long usedBytes, long snapshotBytes, long totalBytes, long usableBytes) {}
