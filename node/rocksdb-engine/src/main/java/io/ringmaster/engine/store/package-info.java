/** One RocksDB per node and one column family per generation of a table in it. */
@NullMarked
package io.ringmaster.engine.store;

import org.jspecify.annotations.NullMarked;
