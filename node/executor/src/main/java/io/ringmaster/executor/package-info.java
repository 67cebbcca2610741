/**
 * The entry points of the executor, the process beside one Cassandra daemon. An executor may die at any time: the
 * daemon keeps running and the next executor adopts it.
 */
@NullMarked
package io.ringmaster.executor;

import org.jspecify.annotations.NullMarked;
