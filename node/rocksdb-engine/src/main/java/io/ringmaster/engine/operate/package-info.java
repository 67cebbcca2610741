/** What an operator asks of tables in RocksDB, where nodetool's own commands see sstables only. */
@NullMarked
package io.ringmaster.engine.operate;

import org.jspecify.annotations.NullMarked;
