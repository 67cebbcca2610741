/** The parts of a node: Cassandra's jars, a class data archive of them, a JDK. */
@NullMarked
package io.ringmaster.pool.local.binaries;

import org.jspecify.annotations.NullMarked;
