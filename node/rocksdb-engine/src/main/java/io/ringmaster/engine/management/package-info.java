/** Management of tables in RocksDB by JMX, because the commands of nodetool see sstables only. */
@NullMarked
package io.ringmaster.engine.management;

import org.jspecify.annotations.NullMarked;
