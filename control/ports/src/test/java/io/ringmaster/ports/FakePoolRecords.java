package io.ringmaster.ports;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The records of a pool in memory. */
public final class FakePoolRecords implements PoolRecords {
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    @Override
    public Optional<byte[]> get(String key) {
        return Optional.ofNullable(values.get(key)).map(byte[]::clone);
    }

    @Override
    public void put(String key, byte[] value) {
        PoolRecords.check(key, value);
        values.put(key, value.clone());
    }

    @Override
    public void remove(String key) {
        values.remove(key);
    }
}
