/** The agents of a Mesos cluster as the machines of a datacenter, by the v1 scheduler HTTP API. */
@NullMarked
package io.ringmaster.pool.mesos;

import org.jspecify.annotations.NullMarked;
