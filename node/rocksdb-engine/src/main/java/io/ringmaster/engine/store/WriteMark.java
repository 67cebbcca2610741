package io.ringmaster.engine.store;

/**
 * A moment in the history of a store. Writes after it have greater sequence numbers.
 *
 * @param seconds since 1970
 * @param sequence RocksDB's latest sequence number at that time, or a moment later
 */
public record WriteMark(TableStore store, long seconds, long sequence) {}
