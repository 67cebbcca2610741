/** The stored format: encodes keys, rows and deletions as RocksDB keys and values, and decodes them. */
@NullMarked
package io.ringmaster.engine.encoding;

import org.jspecify.annotations.NullMarked;
