package io.ringmaster.core.spec;

import io.ringmaster.model.spec.Size;
import java.util.Arrays;
import java.util.List;

/** Every field of a spec. The parser and docs/spec.md both follow this table. */
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
            "The defaults: development is small and starts quickly, production is Cassandra's own, its waits at start"
                    + " included; see What the presets set."),
    DATACENTERS(
            "datacenters",
            "a mapping of datacenter names",
            "required",
            "Where the cluster runs. A change is applied to the datacenters in this order."),
    NODES("datacenters.*.nodes", "a whole number from 1 to 1000", "required", "The number of nodes in the datacenter."),
    SEEDS(
            "datacenters.*.seeds",
            "a whole number from 1 to the number of nodes",
            "2, or 1 for a single node",
            "The number of seeds: the nodes with the lowest indexes."),
    RACKS("datacenters.*.racks", "a list of rack names", "all racks of the datacenter", "The racks to use."),
    NODE("node", "a mapping", "required", "The resources that each node reserves on its machine."),
    CPUS("node.cpus", "a number of cores from 0.1 to 1024, such as 0.5 or 2", "required", "CPU time, in cores."),
    MEMORY(
            "node.memory",
            Size.FORM,
            "required",
            "All memory of the node: the heap, and what is beside it; see Memory below for the least."),
    HEAP(
            "node.heap",
            Size.FORM,
            "half of memory, or as much as memory has room for if that is less; at most 31GiB",
            "The Java heap, at least 96MiB."),
    DISK("node.disk", Size.FORM, "required", "The volume, at least 1GiB."),
    JVM("jvm", "a mapping", "{}", "Settings of the Java virtual machine."),
    COLLECTOR(
            "jvm.collector",
            "g1, zgc, shenandoah or serial",
            "shenandoah",
            "The garbage collector. Oracle's JDK has no Shenandoah: set zgc there. Measured in docs/lab/collectors.md."),
    OPTIONS(
            "jvm.options",
            "a list of options",
            "[]",
            "Options of the Java virtual machine, added after Ringmaster's own and so overriding them."),
    CASSANDRA_YAML(
            "cassandra_yaml",
            "a mapping",
            "{}",
            "Parameters of cassandra.yaml that Ringmaster does not own; they override what it generates."),
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
            "Off-heap memory for uncompressed blocks, indexes and write buffers of all its tables; at least 16MiB."),
    WRITE_BUFFERS(
            "engine.rocksdb.write_buffers",
            Size.FORM,
            "half of block_cache",
            "Memory for writes of all its tables that are not flushed to files yet; part of block_cache."),
    COMPACTION_THROUGHPUT(
            "engine.rocksdb.compaction_throughput",
            "a size per second, such as 64MiB/s, or 0MiB/s for no limit",
            "64MiB/s",
            "The write limit of its flushes and compactions together."),
    DURABILITY(
            "engine.rocksdb.durability",
            "commit_log or wal",
            "commit_log",
            "The log that holds acknowledged writes: Cassandra's commit log or RocksDB's WAL."),
    REPAIR("repair", "a mapping", "no schedule", "Repairs all ranges periodically; see docs/repair.md."),
    EVERY(
            "repair.every",
            "a time from 1h to 365d, such as 12h or 7d",
            "required",
            "The age of the last repair of a range at which the next repair is requested."),
    INTENSITY(
            "repair.intensity",
            "a number from 0.1 to 1",
            "1",
            "The share of the time that a scheduled repair works: 0.5 pauses after each range for as long as it took."),
    REPLACE(
            "replace",
            "a mapping",
            "no automatic replacement",
            "Replaces nodes of lost machines automatically; see docs/replace-and-evacuate.md."),
    AFTER(
            "replace.after",
            "a time from 1m to 30d, such as 30m or 2h",
            "required",
            "How long the machine must be lost without interruption."),
    BACKUP("backup", "a mapping", "no schedule", "Backs the cluster up periodically; see docs/backup.md."),
    BACKUP_TO("backup.to", "the name of a location of backups", "required", "Where the backups are kept."),
    BACKUP_EVERY(
            "backup.every",
            "a time from 1h to 365d, such as 12h or 7d",
            "required",
            "The age of the last backup at which the next one is requested."),
    KEEP("backup.keep", "a mapping", "every backup is kept", "Which backups are kept; the others are deleted."),
    KEEP_LAST(
            "backup.keep.last", "a whole number from 1 to 10000", "required", "The number of newest backups to keep."),
    KEEP_DAILY(
            "backup.keep.daily",
            "a whole number from 0 to 3650",
            "0",
            "The number of days whose newest backup is kept too."),
    BANDWIDTH(
            "backup.bandwidth",
            "a size per second, such as 100MiB/s, or 0MiB/s for no limit",
            "0MiB/s",
            "The most that each node reads and sends for a scheduled backup."),
    RESTORE(
            "restore",
            "a mapping",
            "the cluster starts empty",
            "The backup that a new cluster starts from; ringmaster restore start writes it. See docs/backup.md."),
    RESTORE_FROM("restore.from", "the name of a location of backups", "required", "Where the backup is."),
    RESTORE_CLUSTER("restore.cluster", "a name of a cluster", "required", "The cluster whose backup it is."),
    RESTORE_INCARNATION(
            "restore.incarnation",
            "a text, as backup list -o json shows it",
            "required",
            "Which one of the clusters that had this name."),
    RESTORE_BACKUP("restore.backup", "an id, such as 20261124T040000Z-3f9c", "required", "The backup."),
    TLS(
            "tls",
            "a mapping",
            "at a server with tls: on {internode: required, clients: required}, otherwise {}",
            "Encrypts connections between nodes and of CQL clients of a new cluster; see docs/tls.md."),
    TLS_INTERNODE(
            "tls.internode",
            "required or off",
            "off",
            "Whether nodes talk to each other by TLS only, with certificates on both sides."),
    TLS_CLIENTS(
            "tls.clients",
            "required, optional or off",
            "off",
            "Whether CQL clients connect by TLS only, or may. It needs tls.internode: required."),
    ROLES(
            "roles",
            "a mapping of role names, or off: every CQL client is let in",
            "at a server with tls: on {}, otherwise off",
            "Turns login on and declares the roles of a new cluster; see docs/roles.md."),
    ROLE_LOGIN("roles.*.login", "true or false", "false", "Whether clients log in with the role. It needs a password."),
    ROLE_SUPERUSER("roles.*.superuser", "true or false", "false", "Whether the role may do everything."),
    ROLE_PASSWORD(
            "roles.*.password",
            "generated, {file: NAME} or {env: NAME}, a name of a-z, 0-9 and -, or {secret: NAME/KEY}",
            "none",
            "Where the servers of the first datacenter find the password."),
    ROLE_MEMBER_OF(
            "roles.*.member_of", "a list of roles of the spec", "[]", "The roles whose permissions it has, too."),
    ROLE_GRANTS(
            "roles.*.grants",
            "a list of permissions, such as SELECT, MODIFY ON KEYSPACE trips",
            "[]",
            "The permissions of the role. A keyspace or table may not exist yet."),
    PLACEMENT("placement", "a mapping", "{}", "How nodes are placed on machines."),
    NODES_PER_MACHINE(
            "placement.nodes_per_machine",
            "a whole number from 1 to 100",
            "1",
            "The maximum number of nodes of this cluster on one machine."),
    PLACEMENT_RACKS(
            "placement.racks",
            "even or best_effort",
            "even",
            "When the rack whose turn it is has no room for a node: even refuses it, best_effort lets another rack have"
                    + " more nodes.");

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

    /** The last part of the path: the key in the YAML. */
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

    /** The name that users choose. */
    private String placeholder() {
        return path.startsWith(ROLES.path) ? "<role>" : "<datacenter>";
    }

    /** The table of docs/spec.md. */
    static String table() {
        StringBuilder table = new StringBuilder("| field | value | default | meaning |\n|---|---|---|---|\n");
        for (SpecField f : values()) {
            table.append(String.format(
                    "| `%s` | %s | %s | %s |%n", f.path.replace("*", f.placeholder()), f.form, f.standard, f.help));
        }
        return table.toString();
    }
}
