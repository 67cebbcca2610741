/** Merges and purges records in Java where the native library, which lets RocksDB's compactions do so, is missing. */
@NullMarked
package io.ringmaster.engine.purge;

import org.jspecify.annotations.NullMarked;
