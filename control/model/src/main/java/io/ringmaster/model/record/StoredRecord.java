package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import org.jspecify.annotations.Nullable;

/** One persisted thing. A new kind needs a {@link RecordKey} and a method in {@link Handler}. */
public sealed interface StoredRecord
        permits ClusterRecord,
                SpecRecord,
                NodeRecord,
                PlanRecord,
                RequestRecord,
                PeerRecord,
                AuditRecord,
                CordonRecord,
                TokenRecord,
                AuthorityRecord {
    RecordKey key();

    /** The cluster that must be decided on again when the record changes, or null when it belongs to none. */
    @Nullable
    ClusterName cluster();

    void accept(Handler handler);

    /** One method for each kind of record, so that a forgotten one does not compile. */
    interface Handler {
        void cluster(ClusterRecord cluster);

        void spec(SpecRecord spec);

        void node(NodeRecord node);

        void plan(PlanRecord plan);

        void request(RequestRecord request);

        void peer(PeerRecord peer);

        void audit(AuditRecord entry);

        void cordon(CordonRecord cordon);

        void token(TokenRecord token);

        void authority(AuthorityRecord authority);
    }
}
