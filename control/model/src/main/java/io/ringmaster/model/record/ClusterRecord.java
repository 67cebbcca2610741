package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;

/**
 * A cluster as this datacenter knows it.
 *
 * @param targetSpecVersion the newest accepted spec
 * @param created every node in every datacenter was once NORMAL together: from then on nobody may join without bootstrap
 * @param deleting a delete was asked for, which is final for this incarnation of the cluster: only a new declaration brings nodes back. The
 *     record stays when all is gone, so that a peer that was away learns of it
 * @param destroyData the volumes go too; only when a user asked for it in so many words
 */
public record ClusterRecord(
        ClusterName name, long targetSpecVersion, boolean created, boolean deleting, boolean destroyData)
        implements StoredRecord {
    public static String key(ClusterName name) {
        return "clusters/" + name;
    }

    @Override
    public String key() {
        return key(name);
    }
}
