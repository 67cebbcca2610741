package io.ringmaster.simulator.repository;

import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.simulator.history.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of a location; its clock is the virtual one. */
final class SimObjects {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record SimObject(byte[] bytes, Instant modified) {}

    private final VirtualClock clock;
    private final NavigableMap<String, SimObject> objects = new TreeMap<>();
    private final NavigableMap<String, SimObject> ever = new TreeMap<>();

    SimObjects(VirtualClock clock) {
        this.clock = clock;
    }

    void put(String key, byte[] bytes) {
        var object = new SimObject(bytes, clock.now());
        objects.put(key, object);
        ever.put(key, object);
    }

    Optional<byte[]> get(String key) {
        return Optional.ofNullable(objects.get(key)).map(SimObject::bytes);
    }

    boolean contains(String key) {
        return objects.containsKey(key);
    }

    Optional<ObjectInfo> stat(String key) {
        return Optional.ofNullable(objects.get(key)).map(object -> info(key, object));
    }

    List<ObjectInfo> list(String prefix, @Nullable String after, int limit) {
        return list(objects, prefix, after, limit);
    }

    /** Also the objects that were deleted. */
    List<ObjectInfo> listEver(String prefix, @Nullable String after, int limit) {
        return list(ever, prefix, after, limit);
    }

    private static List<ObjectInfo> list(
            NavigableMap<String, SimObject> objects, String prefix, @Nullable String after, int limit) {
        List<ObjectInfo> found = new ArrayList<>();
        String from = after == null || after.compareTo(prefix) < 0 ? prefix : after;
        for (Map.Entry<String, SimObject> object :
                objects.tailMap(from, !from.equals(after)).entrySet()) {
            if (!object.getKey().startsWith(prefix) || found.size() == limit) {
                break;
            }
            found.add(info(object.getKey(), object.getValue()));
        }
        return found;
    }

    void delete(String key) {
        objects.remove(key);
    }

    Set<String> keys() {
        return objects.keySet();
    }

    ObjectInfo infoAsIfPutNow(String key) {
        return new ObjectInfo(key, 0, clock.now());
    }

    private static ObjectInfo info(String key, SimObject object) {
        return new ObjectInfo(key, object.bytes().length, object.modified());
    }
}
