package io.ringmaster.backup.repository;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/**
 * An sstable of a snapshot.
 *
 * @param prefix of the names of its files: {@code nb-1-big}
 * @param first its first token
 * @param minTs the least write timestamp, in microseconds
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SSTableEntry(String prefix, int level, long rows, String first, String last, long minTs, long maxTs) {}
