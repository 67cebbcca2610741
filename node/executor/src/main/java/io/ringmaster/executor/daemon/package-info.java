/** One Cassandra process: starting, adopting, stopping it, and why it ended. */
@NullMarked
package io.ringmaster.executor.daemon;

import org.jspecify.annotations.NullMarked;
