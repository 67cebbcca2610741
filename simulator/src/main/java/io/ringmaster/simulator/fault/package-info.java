/** Kinds of faults, and what injects them. It reaches the world through {@link io.ringmaster.simulator.fault.Breakable}. */
@NullMarked
package io.ringmaster.simulator.fault;

import org.jspecify.annotations.NullMarked;
