/** Starts and stops a fleet on this computer, and injects faults into it. */
@NullMarked
package io.ringmaster.playground;

import org.jspecify.annotations.NullMarked;
