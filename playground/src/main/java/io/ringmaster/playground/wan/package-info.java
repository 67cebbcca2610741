/**
 * The network between a playground's datacenters: a namespace for each, and links between them that take their time, have a limited
 * bandwidth or are cut. In user space, because many kernels come without {@code sch_netem}.
 */
@NullMarked
package io.ringmaster.playground.wan;

import org.jspecify.annotations.NullMarked;
