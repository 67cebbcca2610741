package io.ringmaster.server.change;

import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.lint.PlanImpacts;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.BackupDelete;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.operation.RoleRewrite;
import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.ParamKind;
import io.ringmaster.model.request.Request;
import io.ringmaster.server.access.Rights;
import io.ringmaster.server.backup.BackupDeletion;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.OperationState;
import io.ringmaster.wire.client.ChangeOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Submits requests for operations. As for a spec, the other datacenters check their part first: a request that one of
 * them refuses starts nowhere.
 */
public final class OperationRequests {
    private final Views views;
    private final ControllerGateway controller;
    private final PeerCheck peers;
    private final BackupLocations locations;
    private final BackupDeletion deletion;

    public OperationRequests(
            Views views,
            ControllerGateway controller,
            FleetReader fleet,
            BackupLocations locations,
            BackupDeletion deletion) {
        this.views = views;
        this.controller = controller;
        this.peers = new PeerCheck(fleet);
        this.locations = locations;
        this.deletion = deletion;
    }

    public OperationAnswer ask(
            ClusterName cluster, String operation, OperationAsk ask, Principal who, ChangeOptions options) {
        requireRights(cluster, operation, who);
        View view = views.now();
        SpecRecord spec = view.targetSpec(cluster).orElseThrow(() -> ClusterChanges.unknown(cluster));
        Map<String, String> params = new TreeMap<>(ask.params());
        requireLocations(operation, params);
        if (options.allowSilentPeers()) {
            params.put(OperationLock.ALLOW_SILENT_PEERS, "true");
        }
        SubmitResult draft =
                controller.request(who, c -> c.ask(operation, cluster, params, who.name(), ask.why(), true));
        requireDeletable(view, spec, operation, params);
        var others = peers.of(view, spec.spec().datacenterNames(), options, peer -> peer.operate(
                        cluster, operation, new OperationAsk(params, ask.why()), PeerCheck.CHECK)
                .plans());
        List<Plan> plans = others.and(draft.plan());
        if (plans.isEmpty() && !options.local()) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.NODE_UNKNOWN,
                    "no node of " + cluster + " matches " + ask.params(),
                    Advice.listNodes(cluster)));
        }
        PeerCheck.requirePlans(cluster, plans, options);
        if (options.dryRun()) {
            return new OperationAnswer(
                    draft.request(), true, plans, others.unanswered(), PlanDigests.of(plans), PlanImpacts.of(plans));
        }
        PlanDigest own = PeerCheck.own(draft.plan(), options);
        SubmitResult done = controller.request(
                who, c -> c.ifPlan(own).ask(operation, cluster, params, who.name(), ask.why(), false));
        return new OperationAnswer(
                done.request(), false, Stream.ofNullable(done.plan()).toList(), others.unanswered());
    }

    /**
     * The caller is an operator of the cluster. That suffices neither for machines, nor to delete backups by name, nor
     * for a change of roles.
     */
    private static void requireRights(ClusterName cluster, String operation, Principal who) {
        if (operation.equals(BackupDelete.NAME)) {
            Rights.require(who, Role.ADMIN, "deleting backups");
        }
        if (operation.equals(RoleRewrite.NAME)) {
            Rights.require(who, Role.ADMIN, cluster, "writing roles again");
        }
        boolean changesMachines = Operations.named(operation).stream()
                .flatMap(o -> o.params().stream())
                .anyMatch(p -> p.kind() == ParamKind.MACHINE);
        if (changesMachines && !who.seesAll()) {
            String needed = operation + " cordons a machine of the fleet and needs the role " + Role.OPERATOR.label()
                    + " for all clusters";
            throw Rights.forbidden(who, needed, Role.OPERATOR, ClusterPattern.ALL.value());
        }
    }

    /** Each server checks its own: the nodes of a datacenter use the locations of its server. */
    private void requireLocations(String operation, Map<String, String> params) {
        Operations.named(operation).stream()
                .flatMap(o -> o.params().stream())
                .filter(p -> p.kind() == ParamKind.LOCATION)
                .forEach(p -> {
                    String name = params.get(p.name());
                    if (name != null) {
                        locations.require(p.name(), name);
                    }
                });
    }

    /** Where the node is that deletes: the servers of other datacenters may not reach the location. */
    private void requireDeletable(View view, SpecRecord spec, String operation, Map<String, String> params) {
        boolean here = spec.spec().datacenterNames().get(0).equals(view.datacenter());
        String from = params.get("from");
        // records of older servers have none
        String incarnation = Objects.requireNonNullElse(spec.incarnation(), "first");
        if (operation.equals(BackupDelete.NAME) && here && from != null) {
            deletion.require(from, new RepositoryKeys(spec.cluster(), incarnation), BackupDelete.ids(params));
        }
    }

    /** The requests for a cluster, the oldest first. */
    public static List<OperationState> of(View view, ClusterName cluster) {
        SpecRecord spec = view.targetSpec(cluster).orElseThrow(() -> ClusterChanges.unknown(cluster));
        return view.requests().values().stream()
                .map(RequestRecord::request)
                .filter(r -> r.cluster().equals(cluster) && Objects.equals(r.incarnation(), spec.incarnation()))
                .map(r -> new OperationState(
                        r,
                        spec.spec().datacenterNames().stream()
                                .map(d -> part(view, d, r))
                                .toList()))
                .toList();
    }

    private static OperationState.Part part(View view, DatacenterName datacenter, Request request) {
        boolean here = datacenter.equals(view.datacenter());
        return new OperationState.Part(
                datacenter,
                OperationLock.part(view, datacenter, request).orElse(null),
                here ? null : view.silence(datacenter).orElse(null));
    }
}
