package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.safety.ConnectedClients;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.step.AwaitDatacenter;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.SyncDatacenter;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plan of a datacenter that has nodes of a live cluster whose spec no longer names it. Its nodes repair their
 * ranges with all replicas and check that the datacenters that stay have their partitions; then the keyspaces lose
 * their replicas here, and the nodes leave the ring, which moves no data. Clients are not sent here from the start of
 * the plan.
 */
final class LeavingDatacenter {
    private LeavingDatacenter() {}

    static Planned plan(View view, SpecRecord target) {
        List<Problem> unsafe = Stream.concat(stranded(view, target).stream(), outdated(view, target.cluster()).stream())
                .toList();
        if (!unsafe.isEmpty()) {
            return new Planned.Refused(unsafe);
        }
        ClusterRecord record = Objects.requireNonNull(view.clusters().get(target.cluster()));
        // one that is already leaving is checked before it loses its replicas
        if (record.created() && !target.forced()) {
            Optional<Problem> clients = ConnectedClients.refusal(view, target.cluster());
            if (clients.isPresent()) {
                return new Planned.Refused(List.of(clients.get()));
            }
        }
        // not created: if the spec names the datacenter again, its data is streamed first
        return new Planned.Draft(
                target.version(),
                record.equals(record.leave()) ? List.of() : List.of(new Change.Put(record.leave())),
                phases(view, target),
                notes(view, target));
    }

    /**
     * Keyspaces that have replicas only here by the report of any node, those of Cassandra's roles included. A node
     * that failed for good may need the configuration of this spec before it can report. Where every member has
     * reported that it does not serve, the plan changes that node first; it looks at keyspaces and clients before it
     * removes any replica.
     */
    private static List<Problem> stranded(View view, SpecRecord target) {
        ClusterName cluster = target.cluster();
        DatacenterName here = view.datacenter();
        List<RingView> reported = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .toList();
        List<NodeRecord> members =
                view.nodesOf(cluster).stream().filter(n -> !n.leaving()).toList();
        boolean noneServes = members.stream().filter(NodeRecord::launched).allMatch(n -> view.status(n.id())
                .filter(s -> s.mode() != OperatingMode.NORMAL)
                .isPresent());
        boolean changedFirst = noneServes
                && members.stream()
                        .anyMatch(n -> PermanentFailure.of(view, n.id()).isPresent()
                                && !Deploy.isDone(view, n, target.spec()));
        if (reported.isEmpty() && !changedFirst && members.stream().anyMatch(NodeRecord::ownsRanges)) {
            return List.of(new Problem(
                    ErrorCode.OPERATION_UNSAFE,
                    "datacenters." + here,
                    "no node of " + here + " is NORMAL and reports whether a keyspace has replicas only there",
                    "bring one node back first"));
        }
        return reported.stream()
                .flatMap(r -> Stream.concat(r.keyspaces().stream(), r.systemKeyspaces().stream()))
                .filter(k -> k.replicas().keySet().equals(Set.of(here.value())))
                .map(KeyspaceSeen::name)
                .distinct()
                .map(name -> new Problem(
                        ErrorCode.OPERATION_UNSAFE,
                        "datacenters." + here,
                        "keyspace " + name + " has replicas only in " + here + " and would be lost",
                        "ALTER it to have replicas elsewhere too and rebuild them there, or drop it"))
                .toList();
    }

    /** The companion in a daemon is as old as its start. One that knows no leaving datacenter reports no roles. */
    private static List<Problem> outdated(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .filter(n -> view.status(n.id())
                        .filter(s -> s.mode() == OperatingMode.NORMAL)
                        .map(NodeStatus::ring)
                        .filter(r -> r.systemKeyspaces().isEmpty())
                        .isPresent())
                .map(n -> new Problem(
                        ErrorCode.OPERATION_UNSAFE,
                        "datacenters." + view.datacenter(),
                        n.id() + " was started by an earlier release, which does not check its rows before it leaves",
                        // the spec that was accepted elsewhere goes before a restart
                        Advice.restartNode(n.id())
                                .prefix("name " + view.datacenter() + " in the spec again; when that is done, run ")
                                .suffix(", then take it out again")))
                .toList();
    }

    private static List<Phase> phases(View view, SpecRecord target) {
        ClusterName cluster = target.cluster();
        List<NodeRecord> nodes = view.nodesOf(cluster).stream()
                .sorted(Comparator.comparing(NodeRecord::id).reversed())
                .toList();
        List<NodeRecord> members = nodes.stream()
                .filter(n -> n.launched() || n.leaving() || n.ownsRanges())
                .toList();
        List<Phase> phases = new ArrayList<>();
        phases.add(Steps.phase(
                SyncDatacenter.PHASE,
                Phase.Strategy.PARALLEL,
                target.spec().datacenterNames().stream().map(d -> new AwaitDatacenter(cluster, target.version(), d))));
        phases.add(Steps.phase(
                "release",
                Phase.Strategy.PARALLEL,
                nodes.stream().filter(n -> !members.contains(n)).map(n -> new ReleaseNode(n.id(), false))));
        // a node that a bad spec broke must serve again before it can leave; a node that is leaving hands over its rows
        // before the others repair them
        phases.add(Steps.phase(
                "deploy",
                Phase.Strategy.SERIAL,
                Stream.concat(
                        members.stream()
                                .filter(n -> !n.leaving() && !Deploy.isDone(view, n, target.spec()))
                                .map(n -> new DeployNode(n.id(), target.version())),
                        members.stream()
                                .filter(NodeRecord::leaving)
                                .map(n -> new LeaveRing(n.id(), target.version())))));
        List<NodeRecord> holders =
                members.stream().filter(n -> n.joined() && !n.leaving()).toList();
        phases.add(Steps.phase(
                Repair.NAME,
                Phase.Strategy.SERIAL,
                holders.stream()
                        .map(n -> RunTask.repairStaying(n.id(), target.spec().datacenterNames(), view.now()))));
        phases.add(Steps.phase(
                "compare",
                Phase.Strategy.SERIAL,
                holders.stream()
                        .map(n -> RunTask.compareStaying(n.id(), target.spec().datacenterNames()))));
        phases.add(Steps.phase(
                "replicate",
                Phase.Strategy.SERIAL,
                holders.stream().limit(1).map(n -> RunTask.removeReplicas(n.id()))));
        phases.add(Steps.phase(
                "leave",
                Phase.Strategy.SERIAL,
                members.stream().filter(n -> !n.leaving()).map(n -> new LeaveRing(n.id(), target.version()))));
        return phases.stream().filter(p -> !p.steps().isEmpty()).toList();
    }

    private static List<String> notes(View view, SpecRecord target) {
        return Stream.concat(ofRows(view, target).stream(), ofRoles(view, target).stream())
                .toList();
    }

    private static Optional<String> ofRoles(View view, SpecRecord target) {
        DatacenterName here = view.datacenter();
        return target.spec().requiresLogin()
                ? Optional.of(
                        "system_auth keeps 1 replica here until the last node has left, because Cassandra demands it:"
                                + " logins here may be refused. CREATE ROLE, GRANT and the like keep working; they fail"
                                + " between the last node's leaving and the moment when a node of "
                                + target.spec().datacenterNames().get(0) + " takes " + here
                                + " out of system_auth, which happens automatically. Roles, passwords and permissions"
                                + " stay")
                : Optional.empty();
    }

    private static List<String> ofRows(View view, SpecRecord target) {
        return List.of(
                "first each node repairs its ranges with all replicas, roles included; up to "
                        + DataSize.text(view, view.nodesOf(target.cluster())) + " are read",
                "then each checks that " + target.spec().datacenterNames()
                        + " has its partitions; the plan stops where one is missing",
                view.datacenter() + " leaves " + target.cluster()
                        + ": every keyspace but system_auth loses its replicas here, then the "
                        + view.nodesOf(target.cluster()).size() + " nodes leave one by one; no data moves",
                "move clients away from " + view.datacenter()
                        + " first: once the keyspaces are altered, LOCAL_QUORUM fails here, and QUORUM and"
                        + " EACH_QUORUM do not count it",
                "this cannot be undone: the volumes are kept, but a datacenter that is added again streams all data");
    }
}
