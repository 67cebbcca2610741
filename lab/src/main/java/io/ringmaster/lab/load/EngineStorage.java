package io.ringmaster.lab.load;

/** Where a node of {@link EngineBench} keeps its table. */
public enum EngineStorage {
    STCS("stcs", "stock, size-tiered (STCS)"),
    UCS("ucs", "stock, unified (UCS)"),
    ROCKSDB("rocksdb", "RocksDB engine");

    private final String key;
    private final String text;

    EngineStorage(String key, String text) {
        this.key = key;
        this.text = text;
    }

    /** Its name in the benchmark, and the first part of the keys of its figures. */
    public String key() {
        return key;
    }

    public String text() {
        return text;
    }
}
