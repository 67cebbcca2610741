/**
 * WAN emulation between a playground's datacenters: a network namespace for each, and links with a delay, a limited
 * bandwidth or a cut. In user space, because many kernels come without {@code sch_netem}.
 */
@NullMarked
package io.ringmaster.playground.wan;

import org.jspecify.annotations.NullMarked;
