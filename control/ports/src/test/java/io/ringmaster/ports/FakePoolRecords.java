package io.ringmaster.ports;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The records of a pool in memory. */
public final class FakePoolRecords implements PoolRecords {
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final Map<String, Integer> writes = new ConcurrentHashMap<>();
    private volatile boolean deposed;

    /** Another server leads from now on. */
    public void depose() {
        deposed = true;
    }

    /** How often keys that start so were put. */
    public int writes(String prefix) {
        return writes.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public Optional<byte[]> get(String key) {
        return Optional.ofNullable(values.get(key)).map(byte[]::clone);
    }

    @Override
    public void put(String key, byte[] value) {
        PoolRecords.check(key, value);
        fence();
        writes.merge(key, 1, Integer::sum);
        values.put(key, value.clone());
    }

    @Override
    public void remove(String key) {
        fence();
        values.remove(key);
    }

    private void fence() {
        if (deposed) {
            throw new StaleEpochException(1, 2);
        }
    }
}
