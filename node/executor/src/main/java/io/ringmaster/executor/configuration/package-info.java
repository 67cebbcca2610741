/** How one node of one Cassandra major version is configured and started: a pure function of its target and where things are. */
@NullMarked
package io.ringmaster.executor.configuration;

import org.jspecify.annotations.NullMarked;
