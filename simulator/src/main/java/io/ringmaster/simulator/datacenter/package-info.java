/** The servers of a datacenter, each with the real controller, and their ports to the world. */
@NullMarked
package io.ringmaster.simulator.datacenter;

import org.jspecify.annotations.NullMarked;
