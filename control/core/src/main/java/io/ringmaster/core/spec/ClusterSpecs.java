package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.BACKUP;
import static io.ringmaster.core.spec.SpecField.CASSANDRA;
import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.CLUSTER;
import static io.ringmaster.core.spec.SpecField.COLLECTOR;
import static io.ringmaster.core.spec.SpecField.CPUS;
import static io.ringmaster.core.spec.SpecField.DATACENTERS;
import static io.ringmaster.core.spec.SpecField.DISK;
import static io.ringmaster.core.spec.SpecField.ENGINE;
import static io.ringmaster.core.spec.SpecField.HEAP;
import static io.ringmaster.core.spec.SpecField.JVM;
import static io.ringmaster.core.spec.SpecField.MEMORY;
import static io.ringmaster.core.spec.SpecField.NODE;
import static io.ringmaster.core.spec.SpecField.NODES;
import static io.ringmaster.core.spec.SpecField.NODES_PER_MACHINE;
import static io.ringmaster.core.spec.SpecField.OPTIONS;
import static io.ringmaster.core.spec.SpecField.PLACEMENT;
import static io.ringmaster.core.spec.SpecField.PLACEMENT_RACKS;
import static io.ringmaster.core.spec.SpecField.PRESET;
import static io.ringmaster.core.spec.SpecField.RACKS;
import static io.ringmaster.core.spec.SpecField.REPAIR;
import static io.ringmaster.core.spec.SpecField.REPLACE;
import static io.ringmaster.core.spec.SpecField.RESTORE;
import static io.ringmaster.core.spec.SpecField.ROLES;
import static io.ringmaster.core.spec.SpecField.SEEDS;
import static io.ringmaster.core.spec.SpecField.TLS;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RepairSchedule;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.model.spec.Size;
import io.ringmaster.model.spec.TlsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Parses YAML text to a spec, or to every problem in it at once. */
public final class ClusterSpecs {
    private static final long MIN_DISK_BYTES = 1L << 30;

    private static final Pattern VERSION = Pattern.compile("5\\.0\\.\\d{1,3}");

    private final FieldReader reader = new FieldReader();
    private final boolean stored;
    private final @Nullable ClusterSpec before;

    private ClusterSpecs(boolean stored, @Nullable ClusterSpec before) {
        this.stored = stored;
        this.before = before;
    }

    /**
     * Parses a spec and checks everything that does not depend on the fleet. See {@link SpecFeasibility} for the rest.
     */
    public static ParsedSpec parse(String yaml) {
        return parse(yaml, null);
    }

    /**
     * Parses a new version of a spec. The memory that the cluster runs with is taken, although the rule asks for more
     * today: otherwise no change of the cluster could be applied any more.
     *
     * @param before the spec of the cluster; null for a new cluster
     */
    public static ParsedSpec parse(String yaml, @Nullable ClusterSpec before) {
        return parse(yaml, false, before);
    }

    /** Parses a spec that a server took before, by the rules of its time: parameters and sizes stay as written. */
    public static ParsedSpec parseStored(String yaml) {
        return parse(yaml, true, null);
    }

    private static ParsedSpec parse(String yaml, boolean stored, @Nullable ClusterSpec before) {
        Document document = Document.of(yaml);
        if (document.problem() != null) {
            return new ParsedSpec.Invalid(List.of(document.problem()));
        }
        ClusterSpecs specs = new ClusterSpecs(stored, before);
        Optional<ClusterSpec> spec = specs.cluster(Objects.requireNonNull(document.root()));
        return spec.isPresent() && specs.reader.problems().isEmpty()
                ? new ParsedSpec.Valid(spec.get())
                : new ParsedSpec.Invalid(specs.reader.problems());
    }

    private Optional<ClusterSpec> cluster(Node root) {
        Map<SpecField, Node> top = reader.fields(root, "", "");
        Optional<ClusterName> name = reader.text(top.get(CLUSTER), CLUSTER.path, CLUSTER.form, name(ClusterName::new));
        Optional<String> version = reader.text(
                top.get(CASSANDRA),
                CASSANDRA.path,
                CASSANDRA.form,
                text -> VERSION.matcher(text).matches() ? Optional.of(text) : Optional.empty());
        Preset preset = reader.text(top.get(PRESET), PRESET.path, PRESET.form, word(Preset.values()))
                .orElse(Preset.PRODUCTION);
        List<DatacenterSpec> datacenters = datacenters(top.get(DATACENTERS));
        Optional<NodeResources> resources = top.containsKey(NODE) ? resources(top.get(NODE), preset) : Optional.empty();
        JvmSpec jvm = jvm(top.get(JVM));
        CassandraParameters cassandra = new CassandraParameters(reader);
        Map<String, Object> parameters = stored
                ? cassandra.readStored(top.get(CASSANDRA_YAML))
                : cassandra.read(top.get(CASSANDRA_YAML), version);
        boolean taken = resources.filter(r -> isTaken(preset, r)).isPresent();
        parameters = new EngineField(reader).addTo(parameters, top.get(ENGINE), resources, preset, taken);
        PlacementSpec placement = placement(top.get(PLACEMENT));
        RepairField repairs = new RepairField(reader);
        repairs.checkCassandraScheduler(top.get(CASSANDRA_YAML), parameters, jvm);
        RepairSchedule repair = repairs.read(top.get(REPAIR), parameters);
        AutomaticReplacement replace = ReplaceField.read(reader, top.get(REPLACE));
        BackupSchedule backup = BackupField.read(reader, top.get(BACKUP));
        RestoreSource restore = RestoreField.read(reader, top.get(RESTORE));
        TlsSpec tls = TlsField.read(reader, top.get(TLS), parameters);
        RolesField rolesField = new RolesField(reader);
        List<RoleSpec> roles = rolesField.read(top.get(ROLES));
        parameters = rolesField.addTo(parameters, top.get(ROLES));
        if (name.isEmpty() || version.isEmpty() || resources.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ClusterSpec(
                name.get(),
                version.get(),
                preset,
                datacenters,
                resources.get(),
                jvm,
                parameters,
                placement,
                repair,
                replace,
                backup,
                restore,
                tls,
                roles));
    }

    private List<DatacenterSpec> datacenters(@Nullable Node node) {
        List<DatacenterSpec> datacenters = new ArrayList<>();
        Map<String, Node> entries = reader.mapping(node, DATACENTERS.path, DATACENTERS.form);
        if (node != null && entries.isEmpty()) {
            reader.refuse(DATACENTERS.path, node, "names no datacenter, allowed: one or more");
        }
        entries.forEach((key, value) -> {
            String path = FieldReader.join(DATACENTERS.path, key);
            Optional<DatacenterName> name = name(DatacenterName::new).apply(key);
            if (name.isEmpty()) {
                reader.refuse(
                        path,
                        value,
                        "'" + key + "' is not a datacenter name, allowed: a-z, 0-9 and -, starting with a letter");
            }
            datacenter(name.orElse(new DatacenterName("unnamed")), path, value).ifPresent(datacenters::add);
        });
        return datacenters;
    }

    private Optional<DatacenterSpec> datacenter(DatacenterName name, String path, Node node) {
        Map<SpecField, Node> fields = reader.fields(node, path, "datacenters.*");
        Optional<Integer> nodes = reader.wholeNumber(fields.get(NODES), path + ".nodes", 1, 1000, NODES.form);
        Optional<Integer> seeds = reader.wholeNumber(fields.get(SEEDS), path + ".seeds", 1, 1000, SEEDS.form);
        List<RackName> racks = new ArrayList<>();
        for (Node rack : reader.list(fields.get(RACKS), path + ".racks", RACKS.form)) {
            reader.text(rack, path + ".racks", "a rack name: letters, digits, -, _ and .", name(RackName::new))
                    .ifPresent(r -> {
                        if (racks.contains(r)) {
                            reader.refuse(path + ".racks", rack, "'" + r + "' is listed twice", "keep one of them");
                        }
                        racks.add(r);
                    });
        }
        if (nodes.isPresent() && seeds.isPresent() && seeds.get() > nodes.get()) {
            reader.refuse(
                    path + ".seeds",
                    fields.get(SEEDS),
                    seeds.get() + " seeds among " + nodes.get() + " nodes, allowed: 1 to " + nodes.get());
        }
        return nodes.map(n -> new DatacenterSpec(name, n, seeds.orElse(Math.min(2, n)), racks));
    }

    private Optional<NodeResources> resources(Node node, Preset preset) {
        Map<SpecField, Node> fields = reader.fields(node, NODE.path, NODE.path);
        Optional<Integer> cpus = reader.thousandths(fields.get(CPUS), CPUS.path, 100, 1_024_000, CPUS.form);
        Optional<Long> memory = reader.bytes(fields.get(MEMORY), MEMORY.path, leastMemory(preset));
        Optional<Long> heap = reader.bytes(fields.get(HEAP), HEAP.path, NodeMemory.MIN_HEAP_BYTES);
        Optional<Long> disk = reader.bytes(fields.get(DISK), DISK.path, MIN_DISK_BYTES);
        if (memory.isEmpty() || cpus.isEmpty() || disk.isEmpty()) {
            return Optional.empty();
        }
        long heapBytes = heap.orElse(defaultHeap(preset, memory.get()));
        NodeResources resources = new NodeResources(cpus.get(), memory.get(), heapBytes, disk.get());
        long least = NodeMemory.leastBytes(preset, heapBytes);
        if (memory.get() < least && !isTaken(preset, resources)) {
            reader.refuse(
                    HEAP.path,
                    fields.get(HEAP),
                    "a heap of " + Size.text(heapBytes) + " needs memory of " + Size.text(least) + " or more ("
                            + NodeMemory.rule(preset) + "), node.memory is " + Size.text(memory.get()),
                    lowerHeap(NodeMemory.mostHeapBytes(preset, memory.get())) + "raise node.memory");
        }
        return Optional.of(resources);
    }

    private static String lowerHeap(long bytes) {
        return bytes < NodeMemory.MIN_HEAP_BYTES ? "" : "lower node.heap to " + Size.write(bytes) + " or ";
    }

    private long leastMemory(Preset preset) {
        long least = NodeMemory.leastBytes(preset, NodeMemory.MIN_HEAP_BYTES);
        long known = before == null || before.preset() != preset
                ? least
                : before.resources().memoryBytes();
        return stored ? NodeMemory.MIN_HEAP_BYTES : Math.min(least, known);
    }

    /** A cluster whose memory stays keeps a heap of up to half of it, which is what earlier releases gave it. */
    private long defaultHeap(Preset preset, long memoryBytes) {
        long heap = Math.max(NodeMemory.MIN_HEAP_BYTES, NodeMemory.defaultHeapBytes(preset, memoryBytes));
        if (before == null
                || before.preset() != preset
                || before.resources().memoryBytes() != memoryBytes
                || before.resources().heapBytes() > memoryBytes / 2) {
            return heap;
        }
        return Math.max(heap, before.resources().heapBytes());
    }

    private boolean isTaken(Preset preset, NodeResources resources) {
        return stored
                || (before != null
                        && before.preset() == preset
                        && before.resources().memoryBytes() == resources.memoryBytes()
                        && before.resources().heapBytes() == resources.heapBytes());
    }

    private JvmSpec jvm(@Nullable Node node) {
        Map<SpecField, Node> fields = reader.fields(node, JVM.path, JVM.path);
        JvmSpec.Collector collector = reader.text(
                        fields.get(COLLECTOR), COLLECTOR.path, COLLECTOR.form, word(JvmSpec.Collector.values()))
                .orElse(JvmSpec.Collector.SHENANDOAH);
        List<String> options = new ArrayList<>();
        for (Node option : reader.list(fields.get(OPTIONS), OPTIONS.path, OPTIONS.form)) {
            reader.text(option, OPTIONS.path, "an option such as -XX:MaxGCPauseMillis=200", Optional::of)
                    .ifPresent(text -> {
                        whyNotOption(text).ifPresent(why -> reader.refuse(OPTIONS.path, option, why));
                        options.add(text);
                    });
        }
        return new JvmSpec(collector, options);
    }

    private static Optional<String> whyNotOption(String option) {
        String name = option.split("[=:]", 2)[0];
        if (option.startsWith("-D") && Refusals.namesSecret(name)) {
            return Optional.of("'" + name + "' names a secret, which a spec must not hold in clear text");
        }
        Optional<String> why = Refusals.whyNotOption(option).map(w -> "'" + option + "' is refused: " + w);
        return why.isPresent() || option.matches("-[\\x21-\\x7e]{1,500}")
                ? why
                : Optional.of(
                        "'" + option + "' is not an option, allowed: one option, starting with -, without spaces");
    }

    private PlacementSpec placement(@Nullable Node node) {
        Map<SpecField, Node> fields = reader.fields(node, PLACEMENT.path, PLACEMENT.path);
        return new PlacementSpec(
                reader.wholeNumber(
                                fields.get(NODES_PER_MACHINE), NODES_PER_MACHINE.path, 1, 100, NODES_PER_MACHINE.form)
                        .orElse(1),
                reader.text(
                                fields.get(PLACEMENT_RACKS),
                                PLACEMENT_RACKS.path,
                                PLACEMENT_RACKS.form,
                                word(PlacementSpec.Racks.values()))
                        .orElse(PlacementSpec.Racks.EVEN));
    }

    private static <N> Function<String, Optional<N>> name(Function<String, N> constructor) {
        return text -> {
            try {
                return Optional.of(constructor.apply(text));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        };
    }

    private static <E extends Enum<E>> Function<String, Optional<E>> word(E[] values) {
        return text -> List.of(values).stream()
                .filter(v -> v.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst();
    }
}
