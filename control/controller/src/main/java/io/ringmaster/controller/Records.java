package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.StoredRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A copy of the stored records, and the view made of them. */
final class Records {
    private static final Map<Class<?>, String> FOLDERS =
            Map.of(PeerRecord.class, "peers", CordonRecord.class, "cordons", AuditRecord.class, "audit");

    private final TreeMap<String, StoredRecord> byKey = new TreeMap<>();
    private final View none;
    private View view;

    /** @param none a view without records */
    Records(View none) {
        this.none = none;
        this.view = none;
    }

    /** The view of the records alone, without facts. */
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
                byKey.put(put.key().path(), put.record());
            } else {
                byKey.remove(change.key().path());
            }
        }
    }

    @Nullable
    StoredRecord get(RecordKey key) {
        return byKey.get(key.path());
    }

    /** The records that no view holds: peers, cordons and audit entries. */
    <R extends StoredRecord> Stream<R> all(Class<R> type) {
        String folder = FOLDERS.get(type);
        return byKey.subMap(folder + "/", folder + "0").values().stream().map(type::cast);
    }

    /** The last change of each key, without changes that change nothing. */
    List<Change> condense(List<Change> changes) {
        Map<RecordKey, Change> last = new LinkedHashMap<>();
        for (Change change : changes) {
            last.remove(change.key());
            last.put(change.key(), change);
        }
        return last.values().stream().filter(this::matters).toList();
    }

    private boolean matters(Change change) {
        StoredRecord now = byKey.get(change.key().path());
        return change instanceof Change.Put put ? !put.record().equals(now) : now != null;
    }
}
