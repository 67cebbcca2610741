package io.ringmaster.core.view;

import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.record.TokenRecord;
import java.util.List;
import org.pcollections.PSortedMap;

/**
 * Applies changes of stored records to a view. A view holds no audit entries; peers and cordons reach it as
 * observations.
 */
final class RecordEdit implements StoredRecord.Handler, RecordKey.Handler {
    private final ViewBuilder after;

    RecordEdit(View before) {
        this.after = ViewBuilder.builder(before);
    }

    View apply(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                put.record().accept(this);
            } else {
                change.key().accept(this);
            }
        }
        return after.build();
    }

    @Override
    public void cluster(ClusterRecord cluster) {
        after.clusters(after.clusters().plus(cluster.name(), cluster));
    }

    @Override
    public void cluster(RecordKey.OfCluster key) {
        after.clusters(after.clusters().minus(key.cluster()));
    }

    @Override
    public void spec(SpecRecord spec) {
        PSortedMap<Long, SpecRecord> versions = after.specs().getOrDefault(spec.cluster(), View.NO_VERSIONS);
        after.specs(after.specs().plus(spec.cluster(), versions.plus(spec.version(), spec)));
    }

    @Override
    public void spec(RecordKey.OfSpec key) {
        PSortedMap<Long, SpecRecord> versions =
                after.specs().getOrDefault(key.cluster(), View.NO_VERSIONS).minus(key.version());
        after.specs(
                versions.isEmpty()
                        ? after.specs().minus(key.cluster())
                        : after.specs().plus(key.cluster(), versions));
    }

    @Override
    public void node(NodeRecord node) {
        after.nodes(after.nodes().plus(node.id(), node));
    }

    @Override
    public void node(RecordKey.OfNode key) {
        after.nodes(after.nodes().minus(key.node()));
    }

    @Override
    public void plan(PlanRecord plan) {
        after.plans(after.plans().plus(plan.plan().id(), plan.plan()));
    }

    @Override
    public void plan(RecordKey.OfPlan key) {
        after.plans(after.plans().minus(key.plan()));
    }

    @Override
    public void request(RequestRecord request) {
        after.requests(after.requests().plus(request.request().id(), request));
    }

    @Override
    public void request(RecordKey.OfRequest key) {
        after.requests(after.requests().minus(key.request()));
    }

    @Override
    public void token(TokenRecord token) {
        after.apiTokens(after.apiTokens().plus(token.id(), token));
    }

    @Override
    public void token(RecordKey.OfToken key) {
        after.apiTokens(after.apiTokens().minus(key.token()));
    }

    @Override
    public void authority(AuthorityRecord authority) {
        after.authorities(after.authorities().plus(authority.key().path(), authority));
    }

    @Override
    public void authority(RecordKey.OfAuthority key) {
        after.authorities(after.authorities().minus(key.path()));
    }

    @Override
    public void peer(PeerRecord peer) {}

    @Override
    public void peer(RecordKey.OfPeer key) {}

    @Override
    public void audit(AuditRecord entry) {}

    @Override
    public void audit(RecordKey.OfAudit key) {}

    @Override
    public void cordon(CordonRecord cordon) {}

    @Override
    public void cordon(RecordKey.OfCordon key) {}
}
