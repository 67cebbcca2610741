/** What must hold during a run and after it. */
@NullMarked
package io.ringmaster.simulator.invariant;

import org.jspecify.annotations.NullMarked;
