package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.StoredRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is in the store, as far as this server knows. */
final class Records {
    private static final Map<Class<?>, String> FOLDERS =
            Map.of(PeerRecord.class, "peers", CordonRecord.class, "cordons", AuditRecord.class, "audit");

    private final TreeMap<String, StoredRecord> byKey = new TreeMap<>();
    private final View none;
    private View view;

    /** @param none what a view without records looks like */
    Records(View none) {
        this.none = none;
        this.view = none;
    }

    /** The records that decisions rest on; of facts it knows nothing. */
    View view() {
        return view;
    }

    void replaceAll(Collection<StoredRecord> loaded) {
        byKey.clear();
        view = none;
        apply(loaded.stream().<Change>map(Change.Put::new).toList());
    }

    void apply(List<Change> changes) {
        view = view.with(changes);
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                byKey.put(put.key(), put.record());
            } else {
                byKey.remove(change.key());
            }
        }
    }

    @Nullable
    StoredRecord get(String key) {
        return byKey.get(key);
    }

    /** Those that no view holds: of peers, cordons and the audit. */
    <R extends StoredRecord> Stream<R> all(Class<R> type) {
        String folder = FOLDERS.get(type);
        return byKey.subMap(folder + "/", folder + "0").values().stream().map(type::cast);
    }

    /** One change a key, the last; without those that change nothing. */
    List<Change> condense(List<Change> changes) {
        Map<String, Change> last = new LinkedHashMap<>();
        for (Change change : changes) {
            last.remove(change.key());
            last.put(change.key(), change);
        }
        return last.values().stream().filter(this::matters).toList();
    }

    private boolean matters(Change change) {
        StoredRecord now = byKey.get(change.key());
        return change instanceof Change.Put put ? !put.record().equals(now) : now != null;
    }
}
