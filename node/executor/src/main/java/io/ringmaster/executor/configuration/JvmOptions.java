package io.ringmaster.executor.configuration;

import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.JvmSpec.Collector;
import io.ringmaster.model.spec.Preset;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of the Java command, from general to specific: of two contradicting options the JVM takes the later one.
 */
final class JvmOptions {
    private static final long MEBIBYTE = 1024 * 1024;

    private JvmOptions() {}

    static List<String> of(NodeTarget target, NodeFiles files, Installation installation, CassandraAdapter adapter) {
        List<String> options = new ArrayList<>(adapter.requiredOptions());
        if (installation.archive() != null) {
            options.add("-XX:SharedArchiveFile=" + installation.archive());
            options.add("-Xshare:auto");
        }
        long heapMiB = Math.max(target.resources().heapBytes() / MEBIBYTE, 1);
        options.add("-Xmx" + heapMiB + "m");
        options.add(target.jvm().collector().flag());
        options.addAll(
                target.preset() == Preset.DEVELOPMENT ? development(target, heapMiB) : production(target, heapMiB));
        options.addAll(diagnostics(files));
        options.add(
                "-Dcassandra.config=" + files.conf().resolve("cassandra.yaml").toUri());
        options.add("-Dcassandra-rackdc.properties="
                + files.conf().resolve("cassandra-rackdc.properties").toUri());
        options.add("-Dlogback.configurationFile=" + files.conf().resolve("logback.xml"));
        // with the default of 2 no node could be replaced beside another dead one: no live node has their common ranges
        options.add("-Dcassandra.system_traces.default_rf=3");
        options.add("-Dcassandra.logdir=" + files.logs());
        options.add("-Dcassandra.storagedir=" + files.volume());
        options.add("-Djava.io.tmpdir=" + files.temporary());
        options.add("-Dfile.encoding=UTF-8");
        if (target.tls() != null) {
            // Cassandra puts the key of each TLS context into a key store in memory and takes it out again; its 20,000
            // rounds protect nothing there and take a tenth of a second
            options.add("-Dkeystore.pkcs12.keyPbeIterationCount=1");
        }
        // relative to the daemon's working directory, because the path of a unix socket is limited to 107 bytes
        options.add("-Dringmaster.socket=" + files.socket().getFileName());
        options.addAll(target.jvm().options());
        return options;
    }

    private static List<String> development(NodeTarget target, long heapMiB) {
        List<String> options = new ArrayList<>();
        options.add("-XX:TieredStopAtLevel=1");
        options.add("-XX:MaxDirectMemorySize=" + Math.max(64, heapMiB / 4) + "m");
        options.add("-Xss256k");
        options.add("-XX:+PerfDisableSharedMem");
        // Cassandra measures the overhead of a memtable row with 100,000 rows, which takes two of the five CPU seconds
        // of a start; 1,000 rows give the same result
        options.add("-Dcassandra.memtable_row_overhead_computation_step=1000");
        // no port serves the thousands of MBeans; metrics are read from their registry
        options.add("-Dorg.apache.cassandra.mbean_registration_class=io.ringmaster.companion.MBeansWithoutMetrics");
        // a clock for timeouts of seconds does not need 500 ticks per second
        options.add("-Dcassandra.approximate_time_precision_ms=20");
        // the nodes share few processors, and half of them would go into polling for tasks
        options.add("-Dringmaster.park_idle_workers=true");
        if (target.jvm().collector() == Collector.SERIAL) {
            options.add("-Xms" + heapMiB + "m");
            options.add("-Xmn" + heapMiB * 2 / 5 + "m");
        }
        if (!target.firstCreation()) {
            options.add("-Dcassandra.ring_delay_ms=10000");
            options.add("-Dcassandra.gossip_settle_min_wait_ms=1000");
            options.add("-Dcassandra.gossip_settle_interval_ms=500");
        }
        return options;
    }

    /** The options of Cassandra's own jvm-server.options and jvm17-server.options. */
    private static List<String> production(NodeTarget target, long heapMiB) {
        List<String> options = new ArrayList<>(List.of(
                "-ea",
                "-da:net.openhft...",
                "-XX:+UseThreadPriorities",
                "-Xss256k",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseTLAB",
                "-XX:+ResizeTLAB",
                "-XX:+UseNUMA",
                "-XX:+PerfDisableSharedMem",
                "-Xms" + heapMiB + "m"));
        if (target.jvm().collector() == Collector.G1) {
            options.addAll(List.of(
                    "-XX:+ParallelRefProcEnabled",
                    "-XX:MaxTenuringThreshold=2",
                    "-XX:G1HeapRegionSize=16m",
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:G1NewSizePercent=50",
                    "-XX:G1RSetUpdatingPauseTimePercent=5",
                    "-XX:MaxGCPauseMillis=300",
                    "-XX:InitiatingHeapOccupancyPercent=70"));
        }
        return options;
    }

    private static List<String> diagnostics(NodeFiles files) {
        return List.of(
                "-XX:+HeapDumpOnOutOfMemoryError",
                "-XX:HeapDumpPath=" + files.logs(),
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ErrorFile=" + files.logs().resolve("hs_err_pid%p.log"),
                "-Xlog:gc*:file=" + files.gcLog() + ":time,uptime,level,tags:filecount=5,filesize=10M");
    }
}
