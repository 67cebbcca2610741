/**
 * The code that runs inside the Cassandra process: the main class, management over a unix socket, the seed provider. It
 * depends only on the JDK, Cassandra and the libraries that Cassandra ships, so that it adds no conflicting library to
 * the class path.
 */
@NullMarked
package io.ringmaster.companion;

import org.jspecify.annotations.NullMarked;
