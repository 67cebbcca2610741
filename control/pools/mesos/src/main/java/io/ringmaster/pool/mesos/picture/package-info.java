/** What the master knows, and what follows from it for machines and allocations. Pure. */
@NullMarked
package io.ringmaster.pool.mesos.picture;

import org.jspecify.annotations.NullMarked;
