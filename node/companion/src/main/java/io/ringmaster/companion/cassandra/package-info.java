/**
 * The calls into Cassandra that demand something of their caller, each behind one method that meets it. Nodes start
 * Cassandra with {@code -ea}, so that a broken demand is an {@link java.lang.AssertionError}.
 *
 * <table>
 *   <caption>{@code InternalCallsTest} keeps this list</caption>
 *   <tr><th>call</th><th>demand</th><th>met by</th></tr>
 *   <tr><td>{@code TokenMetadata.getTopology}</td><td>a copy, never the live object</td>
 *     <td>{@link io.ringmaster.companion.cassandra.RingCopy}, which reads the map of tokens instead</td></tr>
 *   <tr><td>{@code TokenMetadata.getTokens}</td><td>the endpoint is a member</td><td>the same</td></tr>
 *   <tr><td>{@code Keyspace.open}</td><td>the keyspace exists</td>
 *     <td>{@link io.ringmaster.companion.cassandra.OpenKeyspaces#open}, which is empty for a dropped one</td></tr>
 *   <tr><td>{@code StorageService.getPrimaryRanges}, {@code getPrimaryRangesWithinDC}, {@code getLocalReplicas},
 *     {@code repairAsync}, {@code takeSnapshot}, {@code forceKeyspace...}, {@code garbageCollect},
 *     {@code upgradeSSTables}, {@code rebuild}</td><td>keyspace and tables exist until the call returns</td>
 *     <td>{@link io.ringmaster.companion.cassandra.OpenKeyspaces#unlessDropped}: a failure on a dropped object is
 *     none</td>
 *   </tr>
 *   <tr><td>{@code StorageService.drain}, {@code decommission}, {@code removeNode}</td><td>none, but they return
 *     without a word when they did nothing, or when parts of it failed</td>
 *     <td>{@link io.ringmaster.companion.cassandra.Drain} and the tasks: Cassandra's state is looked at afterwards</td>
 *   </tr>
 *   <tr><td>{@code new Thread}</td><td>what is thrown at its top is for Cassandra's handler, which may stop the
 *     node</td><td>{@link io.ringmaster.companion.cassandra.CompanionThreads}</td></tr>
 *   <tr><td>{@code StorageService.getEndpointForHostId}, {@code getHostIdForEndpoint},
 *     {@code Schema.getKeyspaceMetadata}, {@code ColumnFamilyStore.getIfExists}</td><td>null is an answer</td>
 *     <td>the caller</td></tr>
 *   <tr><td>singletons</td><td>Cassandra's start has made them</td><td>{@code NodeView}: their MBean exists</td></tr>
 * </table>
 */
@NullMarked
package io.ringmaster.companion.cassandra;

import org.jspecify.annotations.NullMarked;
