package io.ringmaster.lab.ring;

import java.util.ArrayList;
import java.util.List;

/** Garbage collectors, each with the options that Cassandra ships for it, or with those of the JVM. */
public enum JvmCollector {
    /** The options of conf/jvm17-server.options in Cassandra 5.0. */
    G1(
            "G1",
            11,
            Integer.MAX_VALUE,
            """
            -XX:+UseG1GC -XX:+ParallelRefProcEnabled -XX:MaxTenuringThreshold=2 -XX:G1HeapRegionSize=16m
            -XX:+UnlockExperimentalVMOptions -XX:G1NewSizePercent=50 -XX:G1RSetUpdatingPauseTimePercent=5
            -XX:MaxGCPauseMillis=300 -XX:InitiatingHeapOccupancyPercent=70"""),
    /** The options of conf/jvm11-server.options in Cassandra 4.0-alpha2; its cassandra-env.sh adds {@code -Xmn}. */
    CMS(
            "CMS",
            11,
            13,
            """
            -XX:+UseConcMarkSweepGC -XX:+CMSParallelRemarkEnabled -XX:SurvivorRatio=8 -XX:MaxTenuringThreshold=1
            -XX:CMSInitiatingOccupancyFraction=75 -XX:+UseCMSInitiatingOccupancyOnly -XX:CMSWaitDuration=10000
            -XX:+CMSParallelInitialMarkEnabled -XX:+CMSEdenChunksRecordAlways -XX:+CMSClassUnloadingEnabled"""),
    SERIAL("Serial", 11, Integer.MAX_VALUE, "-XX:+UseSerialGC"),
    SHENANDOAH("Shenandoah", 11, Integer.MAX_VALUE, "-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC"),
    ZGC("ZGC", 11, Integer.MAX_VALUE, "-XX:+UnlockExperimentalVMOptions -XX:+UseZGC"),
    GENERATIONAL_ZGC("generational ZGC", 21, 22, "-XX:+UseZGC -XX:+ZGenerational");

    /** Of cassandra-env.sh: the new generation has this for each core, and a quarter of the heap at most. */
    private static final int NEW_MIB_PER_CORE = 100;

    private final String text;
    private final int first;
    private final int last;
    private final String options;

    /** @param options with blanks between them */
    JvmCollector(String text, int first, int last, String options) {
        this.text = text;
        this.first = first;
        this.last = last;
        this.options = options;
    }

    /** Name for people. */
    public String text() {
        return text;
    }

    /** Whether a JDK has it, by the first number of its version. */
    public boolean isIn(int feature) {
        return first <= feature && feature <= last;
    }

    /**
     * @param heapMiB size of the heap
     * @param processors of this computer
     */
    List<String> options(int heapMiB, int processors) {
        List<String> all = new ArrayList<>(List.of(options.split("\\s+", -1)));
        if (this == CMS) {
            all.add("-Xmn" + Math.min(NEW_MIB_PER_CORE * processors, heapMiB / 4) + "m");
        }
        return all;
    }
}
