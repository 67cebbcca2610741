/** What stands in for machines and Cassandra where a test is about the server. */
@NullMarked
package io.ringmaster.server.fake;

import org.jspecify.annotations.NullMarked;
