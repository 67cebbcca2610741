/** Bugs planted in the controller, to prove that the invariants find them. Knows nothing of the simulated world. */
@NullMarked
package io.ringmaster.simulator.mutation;

import org.jspecify.annotations.NullMarked;
