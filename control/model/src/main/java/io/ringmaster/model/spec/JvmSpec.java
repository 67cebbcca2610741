package io.ringmaster.model.spec;

import java.util.List;

/** @param options extra options, after those that Ringmaster sets, so that they win */
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
