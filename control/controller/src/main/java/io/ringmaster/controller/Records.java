package io.ringmaster.controller;

import io.ringmaster.model.record.Change;
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
    private final TreeMap<String, StoredRecord> byKey = new TreeMap<>();

    void replaceAll(Collection<StoredRecord> loaded) {
        byKey.clear();
        loaded.forEach(r -> byKey.put(r.key(), r));
    }

    void apply(List<Change> changes) {
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

    <R extends StoredRecord> Stream<R> all(Class<R> type) {
        return byKey.values().stream().filter(type::isInstance).map(type::cast);
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
