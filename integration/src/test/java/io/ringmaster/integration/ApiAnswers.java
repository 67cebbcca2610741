package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a server answers to an admin who reads everything: all of its state, history and logs, by path. */
final class ApiAnswers {
    private static final List<String> OF_THE_FLEET = List.of(
            "health",
            "datacenters",
            "datacenter",
            "machines",
            "tokens",
            "operations",
            "backup-locations",
            "metrics",
            "audit?limit=10000",
            "events/recent?limit=4096",
            "clusters",
            "plans");
    private static final List<String> OF_A_CLUSTER = List.of("", "/status", "/ring", "/specs", "/operations");
    private static final List<String> LOGS = List.of("system", "daemon", "gc", "executor");

    private final RingmasterClient client;
    private final HttpClient http;

    private ApiAnswers(RingmasterClient client) throws IOException {
        this.client = client;
        var builder = HttpClient.newBuilder();
        if ("https".equals(client.server().getScheme())) {
            builder.sslContext(
                    TlsContexts.of(null, new LiveTrust(Pem.certificatesIn(Playground.HOME.resolve("trust")))));
        }
        http = builder.build();
    }

    /** @throws AssertionError a path is refused */
    static Map<String, String> of(Playground playground, String datacenter) throws Exception {
        var answers = new ApiAnswers(playground.client(datacenter));
        Map<String, String> read = new TreeMap<>();
        for (String path : answers.paths()) {
            read.put(path, answers.get(path));
        }
        return read;
    }

    private List<String> paths() {
        List<String> paths = new ArrayList<>(OF_THE_FLEET);
        for (ClusterSummary cluster : client.clusters().items()) {
            OF_A_CLUSTER.forEach(what -> paths.add("clusters/" + cluster.cluster() + what));
            client.status(cluster.cluster(), Scope.FLEET).datacenters().stream()
                    .flatMap(part -> part.nodes().stream())
                    .forEach(node ->
                            LOGS.forEach(log -> paths.add("nodes/" + node.node() + "/logs?lines=10000&file=" + log)));
        }
        client.plans(null).items().forEach(plan -> paths.add("plans/" + plan.id()));
        return paths;
    }

    private String get(String path) throws IOException, InterruptedException {
        String token = Files.readString(Playground.HOME.resolve("token")).strip();
        var request = HttpRequest.newBuilder(URI.create(client.server() + "/api/v1/" + path))
                .header("Authorization", "Bearer " + token)
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return answer.body();
    }
}
