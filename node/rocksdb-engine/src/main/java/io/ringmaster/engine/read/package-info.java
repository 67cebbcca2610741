/** From stored records to the iterators that Cassandra reads. */
@NullMarked
package io.ringmaster.engine.read;

import org.jspecify.annotations.NullMarked;
