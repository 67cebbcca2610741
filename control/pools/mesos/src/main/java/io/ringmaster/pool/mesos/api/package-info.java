/** The v1 HTTP API of a master: the stream of a scheduler, its calls, and what operators ask. */
@NullMarked
package io.ringmaster.pool.mesos.api;

import org.jspecify.annotations.NullMarked;
