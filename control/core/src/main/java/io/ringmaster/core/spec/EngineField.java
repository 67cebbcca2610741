package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.BLOCK_CACHE;
import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.COMPACTION_THROUGHPUT;
import static io.ringmaster.core.spec.SpecField.DURABILITY;
import static io.ringmaster.core.spec.SpecField.ENGINE;
import static io.ringmaster.core.spec.SpecField.ROCKSDB;
import static io.ringmaster.core.spec.SpecField.WRITE_BUFFERS;

import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.Size;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads the storage engine of a spec. On a node the engine is a memtable configuration in cassandra.yaml, where the
 * executor finds the class name and adds the jars; so the field becomes that configuration.
 */
final class EngineField {
    private static final long MIB = 1L << 20;
    private static final long MIN_CACHE_BYTES = 16 * MIB;
    private static final long MIN_BUFFER_BYTES = 4 * MIB;
    private static final String MEMTABLE = "memtable";
    private static final String CLASS = "io.ringmaster.engine.RocksDB";

    private final FieldReader reader;

    EngineField(FieldReader reader) {
        this.reader = reader;
    }

    /**
     * The parameters of cassandra.yaml, with those of the engine if the spec has one.
     *
     * @param taken whether the resources are those of a spec that a server took before
     */
    Map<String, Object> addTo(
            Map<String, Object> parameters,
            @Nullable Node engine,
            Optional<NodeResources> resources,
            Preset preset,
            boolean taken) {
        Node rocksDB = reader.fields(engine, ENGINE.path, ENGINE.path).get(ROCKSDB);
        if (rocksDB == null || resources.isEmpty()) {
            return parameters;
        }
        if (parameters.containsKey(MEMTABLE)) {
            reader.refuse(
                    FieldReader.join(CASSANDRA_YAML.path, MEMTABLE),
                    engine,
                    "conflicts with " + ROCKSDB.path + ", which sets it",
                    "write all memtable configurations in " + CASSANDRA_YAML.path
                            + ", as docs/engine.md shows, or none");
            return parameters;
        }
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        all.put(
                MEMTABLE,
                Map.of(
                        "configurations",
                        Map.of(
                                "rocksdb",
                                Map.of(
                                        "class_name",
                                        CLASS,
                                        "parameters",
                                        rocksDB(rocksDB, resources.get(), preset, taken)))));
        return all;
    }

    private Map<String, Object> rocksDB(Node node, NodeResources resources, Preset preset, boolean taken) {
        Map<SpecField, Node> fields = reader.fields(node, ROCKSDB.path, ROCKSDB.path);
        long defaultCache = Math.max(MIN_CACHE_BYTES, resources.memoryBytes() / 8 / MIB * MIB);
        long cache = reader.bytes(fields.get(BLOCK_CACHE), BLOCK_CACHE.path, MIN_CACHE_BYTES)
                .orElse(defaultCache);
        long least = NodeMemory.leastBytes(preset, resources.heapBytes()) + cache;
        if (fields.containsKey(BLOCK_CACHE) && !taken && resources.memoryBytes() < least) {
            reader.refuse(
                    BLOCK_CACHE.path,
                    fields.get(BLOCK_CACHE),
                    "a cache of " + Size.text(cache) + " beside a heap of " + Size.text(resources.heapBytes())
                            + " needs memory of " + Size.text(least) + " or more, node.memory is "
                            + Size.text(resources.memoryBytes()),
                    "lower it or raise node.memory");
        }
        long buffers = reader.bytes(fields.get(WRITE_BUFFERS), WRITE_BUFFERS.path, MIN_BUFFER_BYTES)
                .orElse(Math.max(MIN_BUFFER_BYTES, cache / 2 / MIB * MIB));
        if (buffers > cache) {
            reader.refuse(
                    WRITE_BUFFERS.path,
                    fields.get(WRITE_BUFFERS),
                    Size.text(buffers) + " is more than " + BLOCK_CACHE.path + ", which includes it: "
                            + Size.text(cache));
        }
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("block_cache", Size.write(cache));
        parameters.put("write_buffers", Size.write(buffers));
        reader.text(
                        fields.get(COMPACTION_THROUGHPUT),
                        COMPACTION_THROUGHPUT.path,
                        COMPACTION_THROUGHPUT.form,
                        text -> text.matches("\\d{1,6}(KiB|MiB)/s") ? Optional.of(text) : Optional.empty())
                .ifPresent(rate -> parameters.put("compaction_throughput", rate));
        reader.text(
                        fields.get(DURABILITY),
                        DURABILITY.path,
                        DURABILITY.form,
                        text -> List.of("commit_log", "wal").contains(text) ? Optional.of(text) : Optional.empty())
                .ifPresent(durability -> parameters.put("durability", durability));
        return parameters;
    }
}
