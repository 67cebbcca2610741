/**
 * What is loaded into the Cassandra process: the main class, management over a unix socket, the seed provider. It depends on
 * nothing but the JDK, Cassandra and what Cassandra ships, so that it can disturb nothing.
 */
@NullMarked
package io.ringmaster.companion;

import org.jspecify.annotations.NullMarked;
