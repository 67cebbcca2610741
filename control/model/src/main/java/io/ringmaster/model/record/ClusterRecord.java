package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;

/**
 * A cluster as this datacenter knows it.
 *
 * @param targetSpecVersion the newest accepted spec
 * @param created every node in every datacenter was once NORMAL together: from then on nobody may join without bootstrap
 * @param deleting a delete was asked for; nothing brings its nodes back
 */
public record ClusterRecord(ClusterName name, long targetSpecVersion, boolean created, boolean deleting)
        implements StoredRecord {
    public static String key(ClusterName name) {
        return "clusters/" + name;
    }

    @Override
    public String key() {
        return key(name);
    }
}
