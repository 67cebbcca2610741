/**
 * A storage engine for stock Cassandra 5.0: a memtable that keeps its data in RocksDB, for
 * {@code WITH memtable = 'rocksdb'}.
 */
@NullMarked
package io.ringmaster.engine;

import org.jspecify.annotations.NullMarked;
