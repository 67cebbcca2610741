/** Folds and purges records where no native library lets RocksDB's compactions do it. */
@NullMarked
package io.ringmaster.engine.scrub;

import org.jspecify.annotations.NullMarked;
