/** How keys, rows and deletions are written as RocksDB keys and values, and read back. */
@NullMarked
package io.ringmaster.engine.encoding;

import org.jspecify.annotations.NullMarked;
