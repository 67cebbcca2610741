/** What makes a run repeatable: virtual time, the random numbers of its seed, and the trace of its events. */
@NullMarked
package io.ringmaster.simulator.history;

import org.jspecify.annotations.NullMarked;
