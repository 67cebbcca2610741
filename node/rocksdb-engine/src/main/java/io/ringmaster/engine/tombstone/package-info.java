/**
 * The tombstone sweep: writes deletions of partitions and ranges onto the rows that they shadow. The two are separate
 * RocksDB records, so no compaction sees them together.
 */
@NullMarked
package io.ringmaster.engine.tombstone;

import org.jspecify.annotations.NullMarked;
