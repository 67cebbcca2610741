/** Out of RocksDB into sstables: for streaming and repair, for an index or a view that is built, for another memtable. */
@NullMarked
package io.ringmaster.engine.export;

import org.jspecify.annotations.NullMarked;
