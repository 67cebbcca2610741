package io.ringmaster.backup.store;

import java.time.Instant;

/**
 * An object of a store.
 *
 * @param size in bytes
 * @param modified by the clock of the store
 */
public record ObjectInfo(String key, long size, Instant modified) {}
