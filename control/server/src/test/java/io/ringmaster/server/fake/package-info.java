/** Fakes of machines, executors and Cassandra nodes for the tests of the server. */
@NullMarked
package io.ringmaster.server.fake;

import org.jspecify.annotations.NullMarked;
