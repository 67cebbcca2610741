/**
 * The real controller on a fake pool, ring, network and clock, all from one seed.
 *
 * <p>{@link io.ringmaster.simulator.Simulation} plays one run: a {@link io.ringmaster.simulator.Workload} of users declares and changes clusters
 * while {@link io.ringmaster.simulator.Faults} break things; {@link io.ringmaster.simulator.Invariants} are checked all along; then the faults stop and all
 * must become what was declared. Everything happens on one thread in virtual time, so the same seed gives the same trace.
 */
@NullMarked
package io.ringmaster.simulator;

import org.jspecify.annotations.NullMarked;
