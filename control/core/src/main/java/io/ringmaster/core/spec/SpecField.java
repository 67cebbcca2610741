package io.ringmaster.core.spec;

import io.ringmaster.model.spec.Size;
import java.util.Arrays;
import java.util.List;

/** Every field of a spec; the parser and docs/spec.md both follow this table. */
enum SpecField {
    CLUSTER(
            "cluster",
            "a name: a-z, 0-9 and -, starting with a letter, at most 48 characters",
            "required",
            "The cluster's name, unique in the fleet; also Cassandra's cluster_name."),
    CASSANDRA("cassandra", "a release of Cassandra 5.0, such as 5.0.9", "required", "The version of Cassandra to run."),
    PRESET(
            "preset",
            "development or production",
            "production",
            "The defaults to start from: development is small and quick to start, production is Cassandra's own, waits included."),
    DATACENTERS(
            "datacenters",
            "a mapping of datacenter names",
            "required",
            "Where the cluster lives. The order is that in which datacenters take turns."),
    NODES("datacenters.*.nodes", "a whole number from 1 to 1000", "required", "How many nodes the datacenter has."),
    SEEDS(
            "datacenters.*.seeds",
            "a whole number from 1 to the number of nodes",
            "2, or 1 for a single node",
            "How many of the nodes, lowest index first, are seeds."),
    RACKS("datacenters.*.racks", "a list of rack names", "all racks of the datacenter", "The racks to use."),
    NODE("node", "a mapping", "required", "What each node claims on its machine."),
    CPUS("node.cpus", "a number of cores from 0.1 to 1024, such as 0.5 or 2", "required", "Processor time, in cores."),
    MEMORY(
            "node.memory",
            Size.FORM,
            "required",
            "Memory for all that belongs to the node: the heap and at least 256 MiB or a quarter of the heap more, whichever is larger."),
    HEAP("node.heap", Size.FORM, "half of memory, at most 31GiB", "The Java heap, at least 96MiB."),
    DISK("node.disk", Size.FORM, "required", "The volume, at least 1GiB."),
    JVM("jvm", "a mapping", "{}", "How the Java virtual machine runs."),
    COLLECTOR("jvm.collector", "g1, zgc, shenandoah or serial", "g1", "The garbage collector."),
    OPTIONS(
            "jvm.options",
            "a list of options",
            "[]",
            "Further options for the Java virtual machine, after Ringmaster's own, so that they win."),
    CASSANDRA_YAML(
            "cassandra_yaml",
            "a mapping",
            "{}",
            "Any parameter of cassandra.yaml that Ringmaster does not own, laid over what it generates."),
    ENGINE(
            "engine",
            "a mapping",
            "{}",
            "Storage engines besides Cassandra's own. Adding or removing one restarts the nodes."),
    ROCKSDB(
            "engine.rocksdb",
            "a mapping",
            "not installed",
            "The RocksDB engine, for tables WITH memtable = 'rocksdb'; see docs/engine.md."),
    BLOCK_CACHE(
            "engine.rocksdb.block_cache",
            Size.FORM,
            "an eighth of node.memory",
            "Uncompressed blocks, indexes and write buffers of all its tables, outside of the heap; at least 16MiB."),
    WRITE_BUFFERS(
            "engine.rocksdb.write_buffers",
            Size.FORM,
            "half of block_cache",
            "What all its tables together collect in memory before it is written to files."),
    COMPACTION_THROUGHPUT(
            "engine.rocksdb.compaction_throughput",
            "a size for each second, such as 64MiB/s, or 0MiB/s for no limit",
            "64MiB/s",
            "What its flushes and compactions together may write."),
    DURABILITY(
            "engine.rocksdb.durability",
            "commit_log or wal",
            "commit_log",
            "Which log holds a write once it is acknowledged: Cassandra's or RocksDB's own."),
    REPAIR(
            "repair",
            "a mapping",
            "only when asked for",
            "That all ranges are repaired again and again; see docs/operations.md."),
    EVERY(
            "repair.every",
            "a time from 1h to 365d, such as 12h or 7d",
            "required",
            "How old the last repair of a range may become before the next one is asked for."),
    INTENSITY(
            "repair.intensity",
            "a number from 0.1 to 1",
            "1",
            "How much of the time such a repair works: 0.5 rests after each range as long as it took."),
    REPLACE(
            "replace",
            "a mapping",
            "only when asked for",
            "That a node whose machine is lost is replaced by itself; see docs/operations.md."),
    AFTER(
            "replace.after",
            "a time from 1m to 30d, such as 30m or 2h",
            "required",
            "How long the machine must have been lost without a break."),
    PLACEMENT("placement", "a mapping", "{}", "How nodes are laid on machines."),
    NODES_PER_MACHINE(
            "placement.nodes_per_machine",
            "a whole number from 1 to 100",
            "1",
            "How many nodes of this cluster one machine may hold.");

    final String path;
    final String form;
    final String standard;
    final String help;

    SpecField(String path, String form, String standard, String help) {
        this.path = path;
        this.form = form;
        this.standard = standard;
        this.help = help;
    }

    /** The last part of the path: what is written in the YAML. */
    String key() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    boolean required() {
        return standard.equals("required");
    }

    /** The fields directly inside a path; {@code ""} is the whole spec. */
    static List<SpecField> in(String parent) {
        String prefix = parent.isEmpty() ? "" : parent + ".";
        return Arrays.stream(values())
                .filter(f -> f.path.equals(prefix + f.key()))
                .toList();
    }

    /** The table of docs/spec.md. */
    static String table() {
        StringBuilder table = new StringBuilder("| field | value | default | what for |\n|---|---|---|---|\n");
        for (SpecField f : values()) {
            table.append(String.format(
                    "| `%s` | %s | %s | %s |%n", f.path.replace("*", "<datacenter>"), f.form, f.standard, f.help));
        }
        return table.toString();
    }
}
