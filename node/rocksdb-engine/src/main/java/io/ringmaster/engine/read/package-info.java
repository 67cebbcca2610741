/** Reads stored records as the iterators of Cassandra. */
@NullMarked
package io.ringmaster.engine.read;

import org.jspecify.annotations.NullMarked;
