package io.ringmaster.core.spec;

import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.model.spec.Size;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Writes a spec as YAML that {@link ClusterSpecs#parseStored} reads back to an equal spec. Every field is written,
 * defaults included.
 */
public final class SpecText {
    private SpecText() {}

    public static String write(ClusterSpec spec) {
        Map<String, Object> top = new LinkedHashMap<>();
        top.put("cluster", spec.name().value());
        top.put("cassandra", spec.cassandraVersion());
        top.put("preset", spec.preset().name().toLowerCase(Locale.ROOT));
        Map<String, Object> datacenters = new LinkedHashMap<>();
        spec.datacenters().forEach(dc -> datacenters.put(dc.name().value(), datacenter(dc)));
        top.put("datacenters", datacenters);
        top.put("node", resources(spec.resources()));
        Map<String, Object> jvm = new LinkedHashMap<>();
        jvm.put("collector", spec.jvm().collector().name().toLowerCase(Locale.ROOT));
        jvm.put("options", spec.jvm().options());
        top.put("jvm", jvm);
        top.put(
                "cassandra_yaml",
                spec.requiresLogin() ? RolesField.removeFrom(spec.cassandraYaml()) : spec.cassandraYaml());
        Map<String, Object> placement = new LinkedHashMap<>();
        placement.put("nodes_per_machine", spec.placement().nodesPerMachine());
        if (spec.placement().racks() != PlacementSpec.Racks.EVEN) {
            placement.put("racks", spec.placement().racks().name().toLowerCase(Locale.ROOT));
        }
        top.put("placement", placement);
        if (spec.repair() != null) {
            Map<String, Object> repair = new LinkedHashMap<>();
            repair.put("every", Age.write(Duration.ofMinutes(spec.repair().everyMinutes())));
            repair.put("intensity", spec.repair().intensity());
            top.put("repair", repair);
        }
        if (spec.replace() != null) {
            top.put(
                    "replace",
                    Map.of("after", Age.write(Duration.ofMinutes(spec.replace().afterMinutes()))));
        }
        if (spec.backup() != null) {
            top.put("backup", backup(spec.backup()));
        }
        RestoreSource source = spec.restore();
        if (source != null) {
            Map<String, Object> restore = new LinkedHashMap<>();
            restore.put("from", source.from());
            restore.put("cluster", source.cluster().value());
            restore.put("incarnation", source.incarnation());
            restore.put("backup", source.backup());
            top.put("restore", restore);
        }
        if (spec.tls() != null) {
            top.put("tls", TlsField.write(spec.tls()));
        }
        if (spec.roles() != null) {
            top.put("roles", RolesField.write(spec.roles()));
        }
        return new Dump(DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setWidth(100)
                        .build())
                .dumpToString(top);
    }

    private static Map<String, Object> datacenter(DatacenterSpec dc) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("nodes", dc.nodes());
        fields.put("seeds", dc.seeds());
        if (!dc.racks().isEmpty()) {
            fields.put("racks", dc.racks().stream().map(RackName::value).toList());
        }
        return fields;
    }

    private static Map<String, Object> backup(BackupSchedule schedule) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("to", schedule.to());
        fields.put("every", Age.write(Duration.ofMinutes(schedule.everyMinutes())));
        Keep keep = schedule.keep();
        if (keep != null) {
            Map<String, Object> kept = new LinkedHashMap<>();
            kept.put("last", keep.last());
            kept.put("daily", keep.daily());
            fields.put("keep", kept);
        }
        if (schedule.bytesPerSecond() > 0) {
            fields.put("bandwidth", Size.write(schedule.bytesPerSecond()) + "/s");
        }
        return fields;
    }

    private static Map<String, Object> resources(NodeResources resources) {
        Map<String, Object> fields = new LinkedHashMap<>();
        BigDecimal cpus = BigDecimal.valueOf(resources.cpuMillis(), 3).stripTrailingZeros();
        fields.put("cpus", cpus.scale() <= 0 ? (Object) cpus.intValueExact() : (Object) cpus.doubleValue());
        fields.put("memory", Size.write(resources.memoryBytes()));
        fields.put("heap", Size.write(resources.heapBytes()));
        fields.put("disk", Size.write(resources.diskBytes()));
        return fields;
    }
}
