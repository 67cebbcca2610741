package io.ringmaster.backup.collect;

/**
 * What a collection did.
 *
 * @param backups that were deleted
 * @param blobs that were deleted
 * @param bytes of these blobs
 * @param kept complete backups that are left
 */
public record Collected(int backups, long blobs, long bytes, int kept) {}
