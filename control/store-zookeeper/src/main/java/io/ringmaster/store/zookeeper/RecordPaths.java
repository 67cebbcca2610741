package io.ringmaster.store.zookeeper;

import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.record.TokenRecord;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The znode of a record: the first segment of the key names the record's type and the parent znode, the rest of the key
 * is one percent-encoded znode name.
 */
final class RecordPaths {
    static final Map<String, Class<? extends StoredRecord>> TYPES = Map.of(
            "audit", AuditRecord.class,
            "authorities", AuthorityRecord.class,
            "clusters", ClusterRecord.class,
            "cordons", CordonRecord.class,
            "nodes", NodeRecord.class,
            "peers", PeerRecord.class,
            "plans", PlanRecord.class,
            "requests", RequestRecord.class,
            "specs", SpecRecord.class,
            "tokens", TokenRecord.class);

    private RecordPaths() {}

    /** The path below {@code records}, such as {@code nodes/rides%2Fdc1%2Fnode-0}. */
    static String path(String key) {
        int slash = key.indexOf('/');
        if (slash < 0 || slash == key.length() - 1 || !TYPES.containsKey(key.substring(0, slash))) {
            throw new IllegalArgumentException("record key '" + key + "' must look like nodes/rides/dc1/node-0");
        }
        return key.substring(0, slash + 1) + encode(key.substring(slash + 1));
    }

    static String key(String type, String znode) {
        return type + "/" + URLDecoder.decode(znode, StandardCharsets.UTF_8);
    }

    static Class<? extends StoredRecord> type(String key) {
        Class<? extends StoredRecord> type = TYPES.get(key.substring(0, Math.max(0, key.indexOf('/'))));
        if (type == null) {
            throw new IllegalArgumentException("record key '" + key + "' has an unknown first segment");
        }
        return type;
    }

    private static String encode(String rest) {
        String encoded = URLEncoder.encode(rest, StandardCharsets.UTF_8);
        // ZooKeeper refuses the names . and ..
        return encoded.startsWith(".") ? "%2E" + encoded.substring(1) : encoded;
    }
}
