package io.ringmaster.cli.command;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.cli.yaml.YamlException;
import io.ringmaster.cli.yaml.YamlReader;
import io.ringmaster.cli.yaml.YamlWriter;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.nio.file.Path;
import java.util.Objects;

/** Spec files and versions. The CLI reads only the name of the cluster; the server validates the rest. */
public final class SpecFiles {
    private SpecFiles() {}

    /** The name of the cluster in a spec. */
    public static ClusterName name(String yaml, Path file) {
        try {
            JsonNode spec = YamlReader.read(yaml);
            JsonNode name = spec == null ? null : spec.get("cluster");
            if (name == null || !name.isTextual()) {
                throw new Failure(
                        ExitCode.REFUSED,
                        file + ": cluster: missing; this field names the cluster",
                        "start the spec with a line such as  cluster: rides");
            }
            return new ClusterName(name.asText());
        } catch (YamlException e) {
            throw new Failure(
                    ExitCode.REFUSED,
                    file + " is not YAML" + e.place() + ": "
                            + ThrowableText.of(e).lines().findFirst().orElse(""),
                    null);
        } catch (IllegalArgumentException e) {
            throw new Failure(ExitCode.REFUSED, file + ": cluster: " + ThrowableText.of(e), null);
        }
    }

    /** 0 for a new cluster. */
    public static long currentVersion(RingmasterClient client, ClusterName cluster) {
        try {
            return client.spec(cluster).version();
        } catch (RefusedException e) {
            if (e.problem().code() == ErrorCode.CLUSTER_UNKNOWN) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * Changes the number of nodes of one datacenter and keeps the rest of the text as the user wrote it.
     *
     * @throws Failure when the spec has no such datacenter
     */
    static String withNodes(SpecRecord spec, DatacenterName datacenter, int nodes) {
        String yaml = spec.source();
        YamlReader.Place place = YamlReader.place(yaml, "datacenters", datacenter.value(), "nodes")
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        spec.cluster() + " has no nodes in '" + datacenter + "'; it is in "
                                + spec.spec().datacenterNames(),
                        "name one of these datacenters with --dc"));
        return yaml.substring(0, place.from()) + nodes + yaml.substring(place.to());
    }

    /**
     * The spec of a cluster as the spec of a new one that starts from a backup. The comments are left out.
     *
     * @throws Failure the text is not a spec
     */
    static String restoring(String yaml, ClusterName as, FoundBackup found, RestoredRoles roles) {
        name(yaml, Path.of("the spec in the backup " + found.backup().id()));
        ObjectNode spec = (ObjectNode) Objects.requireNonNull(YamlReader.read(yaml));
        spec.put("cluster", as.value());
        if (roles == RestoredRoles.NONE) {
            spec.putObject("roles"); // left out, the field would let everybody in
        }
        spec.putObject("restore")
                .put("from", found.location())
                .put("cluster", found.backup().cluster().value())
                .put("incarnation", found.backup().incarnation())
                .put("backup", found.backup().id());
        return YamlWriter.write(spec);
    }

    static SpecRecord version(RingmasterClient client, ClusterName cluster, long number) {
        return client.specs(cluster).stream()
                .filter(s -> s.version() == number)
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "version " + number + " of the spec of " + cluster + " is not stored any longer",
                        PROGRAM + " cluster spec " + cluster + " --versions"));
    }
}
