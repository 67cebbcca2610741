/** What survives every server: machines, allocations, Cassandra nodes, gossip, keyspaces, stores and the network. */
@NullMarked
package io.ringmaster.simulator.world;

import org.jspecify.annotations.NullMarked;
