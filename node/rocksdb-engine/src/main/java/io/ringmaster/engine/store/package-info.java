/** The RocksDB of the node: one database for all tables, with one column family for each generation of a table. */
@NullMarked
package io.ringmaster.engine.store;

import org.jspecify.annotations.NullMarked;
