/** The client of the companion inside Cassandra, over its unix socket. */
@NullMarked
package io.ringmaster.executor.companion;

import org.jspecify.annotations.NullMarked;
