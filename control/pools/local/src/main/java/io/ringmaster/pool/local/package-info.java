/**
 * This computer offered as several machines: directories as volumes, cgroups as limits, processes that outlive the
 * server.
 */
@NullMarked
package io.ringmaster.pool.local;

import org.jspecify.annotations.NullMarked;
