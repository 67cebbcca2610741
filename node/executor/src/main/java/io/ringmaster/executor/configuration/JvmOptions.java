package io.ringmaster.executor.configuration;

import io.ringmaster.executor.configuration.PresetSetting.Place;
import io.ringmaster.model.node.NodeTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of the Java command, from general to specific: of two contradicting options the JVM takes the later one.
 */
final class JvmOptions {
    static final String HEAP_DUMP = "HeapDumpOnOutOfMemoryError";

    private JvmOptions() {}

    static List<String> of(NodeTarget target, NodeFiles files, Installation installation, CassandraAdapter adapter) {
        List<String> options = new ArrayList<>(adapter.requiredOptions());
        if (installation.archive() != null) {
            options.add("-XX:SharedArchiveFile=" + installation.archive());
            options.add("-Xshare:auto");
        }
        options.add("-Xmx" + PresetSetting.heapMiB(target) + "m");
        options.add(target.jvm().collector().flag());
        options.add("-Xss256k");
        options.add("-XX:+PerfDisableSharedMem"); // a page of a mapped file can make a collection wait for the disk
        options.addAll(PresetSetting.words(Place.JVM, target));
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

    private static List<String> diagnostics(NodeFiles files) {
        return List.of(
                "-XX:+" + HEAP_DUMP,
                "-XX:HeapDumpPath=" + files.logs(),
                "-XX:+ExitOnOutOfMemoryError",
                // Cassandra closes its output otherwise, and with it the JVM's last words about the lack of memory
                "-Dcassandra-foreground=yes",
                "-XX:ErrorFile=" + files.logs().resolve("hs_err_pid%p.log"),
                "-Xlog:gc*:file=" + files.gcLog() + ":time,uptime,level,tags:filecount=5,filesize=10M");
    }
}
