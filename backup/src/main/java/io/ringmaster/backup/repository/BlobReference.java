package io.ringmaster.backup.repository;

/**
 * A blob that a document names.
 *
 * @param size in bytes
 */
public record BlobReference(BlobName blob, long size) {}
