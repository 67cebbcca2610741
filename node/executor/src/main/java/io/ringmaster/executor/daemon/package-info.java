/** One Cassandra process: its start, adoption and stop, its state on disk, and the reason of its end. */
@NullMarked
package io.ringmaster.executor.daemon;

import org.jspecify.annotations.NullMarked;
