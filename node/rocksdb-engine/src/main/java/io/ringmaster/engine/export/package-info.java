/** Export of RocksDB data to sstables, for streams, repair, index and view builds, and an ALTER to another memtable. */
@NullMarked
package io.ringmaster.engine.export;

import org.jspecify.annotations.NullMarked;
