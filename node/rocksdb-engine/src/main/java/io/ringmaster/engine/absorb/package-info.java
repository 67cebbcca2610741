/** From sstables into RocksDB, in bulk: after a table moved in, after a stream, after an index was built. */
@NullMarked
package io.ringmaster.engine.absorb;

import org.jspecify.annotations.NullMarked;
