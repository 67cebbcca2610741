package io.ringmaster.model.record;

/**
 * One persisted thing. Its key is a path such as {@code nodes/rides/dc1/node-0}; the store keeps one record per key.
 * The first segment of a key names the type of the record.
 */
public sealed interface StoredRecord
        permits ClusterRecord,
                SpecRecord,
                NodeRecord,
                PlanRecord,
                RequestRecord,
                PeerRecord,
                AuditRecord,
                CordonRecord {
    String key();
}
