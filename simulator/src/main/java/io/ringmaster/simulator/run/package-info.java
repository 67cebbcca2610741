/**
 * Runs of the simulator: the real controller on a simulated pool, ring, network and clock, all from one seed.
 *
 * <p>{@link io.ringmaster.simulator.run.Simulation} plays one run. Users ({@code user}) declare and change clusters while
 * faults ({@code fault}) break the {@code world} and the servers of each {@code datacenter}, and {@code invariant}s are
 * checked all the time. Then the faults stop, and every cluster must become what its spec declares. Everything happens on
 * one thread in virtual time ({@code history}), so the same seed gives the same trace. A planted bug ({@code mutation})
 * shows that the invariants would find it.
 */
@NullMarked
package io.ringmaster.simulator.run;

import org.jspecify.annotations.NullMarked;
