package io.ringmaster.cli.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Spec files and versions. All but the name is for the server to judge. */
public final class SpecFiles {
    private SpecFiles() {}

    /** The cluster that a spec names. */
    public static ClusterName name(String yaml, Path file) {
        try {
            JsonNode spec = new YAMLMapper().readTree(yaml);
            JsonNode name = spec == null ? null : spec.get("cluster");
            if (name == null || !name.isTextual()) {
                throw new Failure(
                        ExitCode.REFUSED,
                        file + ": cluster: missing; it names the cluster",
                        "begin the spec with a line such as  cluster: rides");
            }
            return new ClusterName(name.asText());
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String place = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new Failure(
                    ExitCode.REFUSED,
                    file + " is not YAML" + place + ": "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    null);
        } catch (IllegalArgumentException e) {
            throw new Failure(ExitCode.REFUSED, file + ": cluster: " + e.getMessage(), null);
        }
    }

    /** 0 when there is no such cluster yet. */
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
     * The text of a spec with another number of nodes in one datacenter, all else as the user wrote it.
     *
     * @throws Failure when the spec has no such datacenter
     */
    static String withNodes(SpecRecord spec, DatacenterName datacenter, int nodes) {
        String yaml = spec.source();
        String path = "/datacenters/" + datacenter + "/nodes";
        try (JsonParser parser = new YAMLMapper().createParser(yaml)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()
                        && parser.getParsingContext().pathAsPointer().toString().equals(path)) {
                    int from = (int) parser.currentTokenLocation().getCharOffset();
                    return yaml.substring(0, from)
                            + nodes
                            + yaml.substring(from + parser.getText().length());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the stored spec of " + spec.cluster() + " cannot be read", e);
        }
        throw new Failure(
                ExitCode.REFUSED,
                spec.cluster() + " has no nodes in '" + datacenter + "'; it is in "
                        + spec.spec().datacenterNames(),
                "name one of these with --dc");
    }

    static SpecRecord version(RingmasterClient client, ClusterName cluster, long number) {
        return client.specs(cluster).stream()
                .filter(s -> s.version() == number)
                .findFirst()
                .orElseThrow(() -> new Failure(
                        ExitCode.REFUSED,
                        "version " + number + " of the spec of " + cluster + " is not kept",
                        "ringmaster cluster spec " + cluster + " --versions"));
    }
}
