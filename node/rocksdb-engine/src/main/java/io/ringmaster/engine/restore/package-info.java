/** Restores snapshots into RocksDB. */
@NullMarked
package io.ringmaster.engine.restore;

import org.jspecify.annotations.NullMarked;
