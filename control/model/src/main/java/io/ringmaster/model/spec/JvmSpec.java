package io.ringmaster.model.spec;

import java.util.List;

/** @param options options that are added after Ringmaster's own and so override them */
public record JvmSpec(Collector collector, List<String> options) {
    public JvmSpec {
        options = List.copyOf(options);
    }

    /** Garbage collectors that Cassandra 5 runs with on JDK 17. */
    public enum Collector {
        G1("-XX:+UseG1GC"),
        ZGC("-XX:+UseZGC"),
        SHENANDOAH("-XX:+UseShenandoahGC"),
        SERIAL("-XX:+UseSerialGC");

        private final String flag;

        Collector(String flag) {
            this.flag = flag;
        }

        public String flag() {
            return flag;
        }
    }
}
