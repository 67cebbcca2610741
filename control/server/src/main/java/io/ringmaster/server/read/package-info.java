/** Answers to reads, from the view of this datacenter and from the servers of the other datacenters. */
@NullMarked
package io.ringmaster.server.read;

import org.jspecify.annotations.NullMarked;
