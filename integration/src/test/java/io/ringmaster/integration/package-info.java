/**
 * Tests on the real thing: the launcher, real servers with their ZooKeepers, real Cassandra daemons. They carry the tag
 * {@code cassandra}.
 */
@NullMarked
package io.ringmaster.integration;

import org.jspecify.annotations.NullMarked;
