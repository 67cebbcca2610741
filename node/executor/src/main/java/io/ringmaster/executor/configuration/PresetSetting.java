package io.ringmaster.executor.configuration;

import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.JvmSpec.Collector;
import io.ringmaster.model.spec.Preset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that the presets set on a node, and why. A value is a list of words, empty for the default of Cassandra or the
 * JVM, in which {@code <heap>} and the like stand for a number of MiB. docs/spec.md shows this table.
 */
public enum PresetSetting {
    ASSERTIONS(
            "assertions",
            Place.JVM,
            When.ALWAYS,
            "-ea -da:net.openhft...",
            "-ea -da:net.openhft...",
            "as Cassandra ships; equal in both, so that tests meet the assertions that production meets"),
    COMPILERS(
            "compilers",
            Place.JVM,
            When.ALWAYS,
            "-XX:TieredStopAtLevel=1",
            "",
            "the first compiler starts quickly with little memory, the second makes fast code"),
    HEAP_AT_START(
            "heap at start",
            Place.JVM,
            When.SERIAL,
            "-Xms<heap>m -Xmn<heap*2/5>m",
            "-Xms<heap>m",
            "no growing under load; pages of a development heap are taken when used"),
    HEAP_AT_START_OF_OTHERS(
            "heap at start", Place.JVM, When.OTHER_COLLECTOR, "", "-Xms<heap>m", "other collectors grow well"),
    PRETOUCH(
            "pages of the heap",
            Place.JVM,
            When.ALWAYS,
            "",
            "-XX:+AlwaysPreTouch -XX:+UseNUMA",
            "memory is taken at the start, where a lack of it is noticed"),
    G1(
            "G1",
            Place.JVM,
            When.G1,
            "",
            "-XX:+ParallelRefProcEnabled -XX:MaxTenuringThreshold=2 -XX:G1HeapRegionSize=16m"
                    + " -XX:+UnlockExperimentalVMOptions -XX:G1NewSizePercent=50 -XX:G1RSetUpdatingPauseTimePercent=5"
                    + " -XX:MaxGCPauseMillis=300 -XX:InitiatingHeapOccupancyPercent=70",
            "Cassandra's own jvm17-server.options, for large heaps"),
    DIRECT_MEMORY(
            "direct memory",
            Place.JVM,
            When.ALWAYS,
            "-XX:MaxDirectMemorySize=<direct>m",
            "",
            "a quarter of the heap, 128 MiB or more; 64 MiB end under 8 writes of 1 MB at once; by default the heap"),
    MALLOC_ARENAS(
            "arenas of malloc",
            Place.ENVIRONMENT,
            When.ALWAYS,
            "MALLOC_ARENA_MAX=2",
            "MALLOC_ARENA_MAX=2",
            "glibc keeps up to 64 MiB of freed memory for each arena, and has eight for each processor"),
    LOCKED_MEMORY(
            "locked memory",
            Place.MEMORY_LOCK,
            When.ALWAYS,
            "--memlock=65536:65536",
            "",
            "Cassandra locks all its memory where it is permitted to; on the node measured under Memory that takes a"
                    + " quarter more"),
    MEMTABLES(
            "memtables",
            Place.CASSANDRA_YAML,
            When.SMALL_HEAP,
            "memtable_allocation_type=unslabbed_heap_buffers",
            "memtable_allocation_type=unslabbed_heap_buffers",
            "Cassandra's default takes 1 MiB of heap for the first row of each table"),
    MEMTABLE_SPACE(
            "memtable space",
            Place.CASSANDRA_YAML,
            When.ALWAYS,
            "memtable_heap_space=32MiB memtable_offheap_space=32MiB",
            "",
            "small heaps"),
    CACHES(
            "caches",
            Place.CASSANDRA_YAML,
            When.ALWAYS,
            "file_cache_size=16MiB networking_cache_size=16MiB key_cache_size=4MiB counter_cache_size=2MiB"
                    + " prepared_statements_cache_size=4MiB",
            "",
            "small heaps; Cassandra's defaults are shares of the heap"),
    THREADS(
            "threads",
            Place.CASSANDRA_YAML,
            When.ALWAYS,
            "concurrent_reads=4 concurrent_writes=4 concurrent_counter_writes=4"
                    + " concurrent_materialized_view_writes=4 concurrent_compactors=1 native_transport_max_threads=16",
            "",
            "the nodes share few processors"),
    REPAIR_AND_LOG(
            "repair, commit log",
            Place.CASSANDRA_YAML,
            When.ALWAYS,
            "repair_session_space=16MiB commitlog_segment_size=8MiB",
            "",
            "small heaps and disks"),
    COMMIT_LOG_SYNC(
            "syncs of the commit log",
            Place.CASSANDRA_YAML,
            When.ALWAYS,
            "commitlog_sync_period=1s periodic_commitlog_sync_lag_block=15s",
            "",
            "the nodes of one computer lose their power at once, and up to a second of acknowledged writes with it;"
                    + " 10 s by default. Writes wait for a sync that is 15 s late, as by default"),
    IDLE_WORKERS(
            "idle workers",
            Place.JVM,
            When.ALWAYS,
            "-Dringmaster.park_idle_workers=true",
            "",
            "the nodes share few processors, and half of them would go into polling for tasks"),
    CLOCK(
            "clock of timeouts",
            Place.JVM,
            When.ALWAYS,
            "-Dcassandra.approximate_time_precision_ms=20",
            "",
            "timeouts of seconds do not need 500 ticks per second"),
    MBEANS(
            "MBeans of metrics",
            Place.JVM,
            When.ALWAYS,
            "-Dorg.apache.cassandra.mbean_registration_class=io.ringmaster.companion.MBeansWithoutMetrics",
            "",
            "metrics are read from their registry; an agent of your own in production may read MBeans"),
    ROW_OVERHEAD(
            "overhead of a row",
            Place.JVM,
            When.ALWAYS,
            "-Dcassandra.memtable_row_overhead_computation_step=1000",
            "",
            "measured with 1,000 rows in place of 100,000, which take two CPU seconds of each start"),
    FIRST_GOSSIP(
            "gossip",
            Place.JVM,
            When.FIRST_CREATION,
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "",
            "nothing was said yet that a first node could wait for"),
    GOSSIP(
            "gossip",
            Place.JVM,
            When.LATER_START,
            "-Dcassandra.gossip_settle_min_wait_ms=1000 -Dcassandra.gossip_settle_interval_ms=500",
            "",
            "few nodes are heard sooner than Cassandra's 8 s"),
    RING_DELAY(
            "ring delay",
            Place.JVM,
            When.LATER_START,
            "-Dcassandra.ring_delay_ms=10000",
            "",
            "how long a node that joins or leaves waits for the others to hear of it; 30 s by default"),
    TRANSFER_HEAP(
            "heap of the program that sends backups",
            Place.TRANSFER,
            When.ALWAYS,
            "-Xmx96m",
            "-Xmx192m",
            "it exists only during a transfer, in the node's memory");

    /** Who takes the words: the Java command, cassandra.yaml, the daemon's environment and so on. */
    public enum Place {
        JVM,
        CASSANDRA_YAML,
        ENVIRONMENT,
        MEMORY_LOCK,
        TRANSFER
    }

    /** The nodes that a setting is for. */
    enum When {
        ALWAYS(""),
        SERIAL("collector serial"),
        G1("collector g1"),
        OTHER_COLLECTOR("any other collector"),
        SMALL_HEAP("heap below 1 GiB"),
        FIRST_CREATION("of a new cluster"),
        LATER_START("at other starts");

        private final String text;

        When(String text) {
            this.text = text;
        }

        boolean holds(NodeTarget target) {
            Collector collector = target.jvm().collector();
            return switch (this) {
                case ALWAYS -> true;
                case SERIAL -> collector == Collector.SERIAL;
                case G1 -> collector == Collector.G1;
                case OTHER_COLLECTOR -> collector != Collector.SERIAL;
                case SMALL_HEAP -> heapMiB(target) < 1024;
                case FIRST_CREATION -> target.firstCreation();
                case LATER_START -> !target.firstCreation();
            };
        }
    }

    private static final long MEBIBYTE = 1024 * 1024;

    private final String what;
    private final Place place;
    private final When when;
    private final String development;
    private final String production;
    private final String why;

    PresetSetting(String what, Place place, When when, String development, String production, String why) {
        this.what = what;
        this.place = place;
        this.when = when;
        this.development = development;
        this.production = production;
        this.why = why;
    }

    /** The words for a node, in the order of this table. */
    static List<String> words(Place place, NodeTarget target) {
        long heap = heapMiB(target);
        return settings(place)
                .filter(setting -> setting.when.holds(target))
                .flatMap(setting -> split(setting.value(target.preset())))
                .map(word -> word.replace("<heap>", String.valueOf(heap))
                        .replace("<heap*2/5>", String.valueOf(heap * 2 / 5))
                        .replace("<direct>", String.valueOf(Math.max(128, heap / 4))))
                .toList();
    }

    /** The words of a place that depend on nothing but the preset. */
    public static List<String> words(Place place, Preset preset) {
        return settings(place).flatMap(setting -> split(setting.value(preset))).toList();
    }

    /** The table of docs/spec.md. */
    static String table() {
        return Arrays.stream(values())
                .map(setting -> "| " + setting.what + (setting.when.text.isEmpty() ? "" : ", " + setting.when.text)
                        + " | " + setting.cell(Preset.DEVELOPMENT) + " | " + setting.cell(Preset.PRODUCTION) + " | "
                        + setting.why + " |\n")
                .collect(Collectors.joining("", "| what | development | production | why |\n|---|---|---|---|\n", ""));
    }

    static long heapMiB(NodeTarget target) {
        return Math.max(target.resources().heapBytes() / MEBIBYTE, 1);
    }

    private static Stream<PresetSetting> settings(Place place) {
        return Arrays.stream(values()).filter(setting -> setting.place == place);
    }

    private static Stream<String> split(String words) {
        return words.isEmpty() ? Stream.of() : Stream.of(words.split(" "));
    }

    private String value(Preset preset) {
        return preset == Preset.DEVELOPMENT ? development : production;
    }

    private String cell(Preset preset) {
        String cell = split(value(preset)).map(word -> "`" + word + "`").collect(Collectors.joining(" "));
        return cell.isEmpty() ? "the default" : cell;
    }
}
