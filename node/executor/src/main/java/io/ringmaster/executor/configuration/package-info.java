/** The configuration and command of a Cassandra node: a pure function of its target and its file layout. */
@NullMarked
package io.ringmaster.executor.configuration;

import org.jspecify.annotations.NullMarked;
