package io.ringmaster.core;

import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.RestoreOrigin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a test says of the ring of a scene beyond the state of each node: tasks, data and clients as the nodes report
 * them, gossip, and dc2.
 *
 * @param <S> the scene itself, so that sentences can go on
 */
abstract class Surroundings<S extends Surroundings<S>> {
    final RecordScene records = new RecordScene();
    final RingScene ring = new RingScene();
    final PeerScene peers = new PeerScene();

    abstract S scene();

    /** Whether the node reports that it accepts clients from now on; without this it does. */
    public S access(int index, ClientAccess access) {
        ring.access(Scene.node(index), Optional.of(access));
        return scene();
    }

    /** An older executor, which does not report it. */
    public S accessUnknown(int index) {
        ring.access(Scene.node(index), Optional.empty());
        return scene();
    }

    /** The executor reports this state of the task that the node's record names. */
    public S task(int index, TaskStatus.State state, String message) {
        NodeTask task = records.node(index).task();
        ring.task(
                Scene.node(index),
                new TaskStatus(task.id(), task.kind(), state, 0, 0, "", message, Scene.NOW, Scene.NOW));
        return scene();
    }

    /** The repair state of the node's ranges of the one user keyspace. */
    public S repaired(int index, double share, @Nullable Instant oldest) {
        ring.repaired(Scene.node(index), share, oldest);
        return scene();
    }

    /** Bytes of hints on this node's disk for the node with this host id, which is {@code host-N} for node-N. */
    public S hints(int index, String host, long bytes) {
        ring.hints(Scene.node(index), host, bytes);
        return scene();
    }

    /** A user keyspace with this number of replicas in each datacenter, as all nodes report it. */
    public S replicas(String keyspace, int count) {
        ring.replicas(keyspace, count);
        return scene();
    }

    /** A client is connected to a node here. */
    public S client(int index, String address, int connections) {
        ring.client(Scene.node(index), address, connections);
        return scene();
    }

    /** A keyspace with replicas in dc2 alone. */
    public S onlyThere(String keyspace) {
        ring.onlyThere(keyspace);
        return scene();
    }

    /** The node has another version of the schema than the others. */
    public S schema(int index, String version) {
        ring.schema(Scene.node(index), version);
        return scene();
    }

    /** One node alone reports it. */
    public S onlyHere(int index, String keyspace) {
        ring.onlyHere(Scene.node(index), keyspace);
        return scene();
    }

    /** The node has read these roles. */
    public S roles(int index, RoleSeen... seen) {
        ring.roles(Scene.node(index), List.of(seen));
        return scene();
    }

    public S rolesOnlyHere() {
        return roleReplicas(Map.of("dc1", 3));
    }

    /** The replicas of roles by datacenter, as all nodes here report them. */
    public S roleReplicas(Map<String, Integer> replicas) {
        ring.roleReplicas(replicas);
        return scene();
    }

    /** A node of dc2 has left the ring, which gossip repeats for days. */
    public S remoteLeft(int index) {
        ring.remoteLeft(Scene.remoteEndpoint(index));
        return scene();
    }

    /** A member that has been down since before the nodes here started: they know only its endpoint. */
    public S memberOfUnknownDatacenter() {
        ring.memberOfUnknownDatacenter(Scene.remoteEndpoint(0));
        return scene();
    }

    /** The daemon runs since before an upgrade of Ringmaster, whose companion reports no roles. */
    public S earlierRelease(int index) {
        ring.earlierRelease(Scene.node(index));
        return scene();
    }

    public S remoteSeen(int index, boolean alive) {
        ring.remoteSeen(Scene.remoteEndpoint(index), alive);
        return scene();
    }

    /** All nodes here still see this node at its former endpoint, too. */
    public S formerSeen(int index, String endpoint) {
        ring.formerSeen(index, endpoint);
        return scene();
    }

    /**
     * dc2 answers: this number of its nodes is placed, at this version, settled or not; each joined one holds 1 GiB.
     */
    public S peer(int nodesPlaced, long version, long settled, boolean joined, @Nullable String unplanned) {
        peers.reports(nodesPlaced, records.specs().get(version), settled, joined, unplanned);
        return scene();
    }

    /** The report of dc2, which answers, on one of its nodes. */
    public S peerNode(int index, OperatingMode mode) {
        return peerNode(index, true, mode);
    }

    /** The report on a node that has joined, or on a joining one. */
    public S peerNode(int index, boolean joined, OperatingMode mode) {
        peers.node(index, joined, mode);
        return scene();
    }

    /** The oldest repair of a range there, as dc2 reports it. */
    public S peerRepaired(Instant oldest) {
        peers.repaired(oldest);
        return scene();
    }

    /** dc2 knows of a request, and this is its part. */
    public S peerRequest(RequestRecord record) {
        peers.request(record);
        return scene();
    }

    /** The cluster is restored from this backup. */
    public S origin(RestoreOrigin origin) {
        records.origin(origin);
        return scene();
    }

    /** The nodes here have the data of the backup. */
    public S restored() {
        records.restored();
        return scene();
    }

    /** dc2, which answers, reports that its nodes have the data of the backup. */
    public S peerRestored() {
        peers.restored();
        return scene();
    }

    /** The nodes of dc2 have joined, and dc2 does not report the cluster as created. */
    public S peerUncreated() {
        peers.uncreated();
        return scene();
    }

    public S peerSilent() {
        peers.silent();
        return scene();
    }

    /** dc2 was silent from this time on. */
    public S peerSilent(Instant since) {
        peers.silent(since);
        return scene();
    }
}
