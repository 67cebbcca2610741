/** The fleet: machines, allocations on them, datacenters. */
@NullMarked
package io.ringmaster.model.fleet;

import org.jspecify.annotations.NullMarked;
