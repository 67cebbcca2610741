package io.ringmaster.pool.kubernetes.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.ringmaster.json.Json;
import io.ringmaster.pool.kubernetes.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An API server that has one object at most. */
public final class PlayedObject implements AutoCloseable {
    private final HttpServer server;
    private final List<String> changes = new CopyOnWriteArrayList<>();
    private @Nullable ObjectNode object;
    private int version = 10;
    private int refusal;
    private Runnable beforeNextChange = () -> {};

    /** @param kind in the plural, as in a path */
    public PlayedObject(String kind) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/namespaces/" + Samples.SETTINGS.namespace() + "/" + kind, this::answer);
        server.start();
    }

    public KubernetesClient client() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Does this between the look of a client and its change. */
    synchronized void beforeNextChange(Runnable task) {
        beforeNextChange = task;
    }

    /** The methods of the requests that were to change it. */
    List<String> changes() {
        return List.copyOf(changes);
    }

    /** Empty if there is none. */
    synchronized JsonNode object() {
        return object == null ? Json.mapper().createObjectNode() : object.deepCopy();
    }

    /** Gives it the next version. */
    public synchronized void put(HasMetadata made) {
        store((ObjectNode) Json.mapper().valueToTree(made));
    }

    synchronized void remove() {
        object = null;
    }

    /** Answers everything with this status. */
    public synchronized void refuse(int code) {
        refusal = code;
    }

    private void store(ObjectNode next) {
        ((ObjectNode) next.get("metadata")).put("resourceVersion", Integer.toString(++version));
        object = next;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET")) {
            changes.add(method);
            Runnable first = beforeNextChange;
            beforeNextChange = () -> {};
            first.run();
        }
        JsonNode body = Json.mapper().readTree(exchange.getRequestBody());
        int code =
                switch (refusal > 0 ? "" : method) {
                    case "" -> refusal;
                    case "GET" -> object == null ? 404 : 200;
                    case "POST" -> create(body);
                    case "PATCH" -> patch(body);
                    default -> 405;
                };
        Object content = code < 300 && object != null ? object : status(code);
        byte[] bytes = Json.bytes(content);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private int create(JsonNode body) {
        if (object != null) {
            return 409;
        }
        store((ObjectNode) body);
        return 201;
    }

    private int patch(JsonNode body) {
        if (object == null) {
            return 404;
        }
        JsonNode wanted = body.at("/metadata/resourceVersion");
        if (!wanted.isMissingNode() && !wanted.asText().equals(Integer.toString(version))) {
            return 409;
        }
        try {
            store(Json.mapper().readerForUpdating(object.deepCopy()).readValue(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return 200;
    }

    private static Map<String, Object> status(int code) {
        return Map.of("apiVersion", "v1", "kind", "Status", "status", "Failure", "code", code, "message", "no " + code);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
