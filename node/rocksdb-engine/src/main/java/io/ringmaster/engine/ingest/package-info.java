/** Bulk ingestion of sstables into RocksDB, after an ALTER to this memtable, a stream or an index build. */
@NullMarked
package io.ringmaster.engine.ingest;

import org.jspecify.annotations.NullMarked;
