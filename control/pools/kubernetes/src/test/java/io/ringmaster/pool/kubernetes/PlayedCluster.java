package io.ringmaster.pool.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API server with lists and watches, but without controllers: only tests and the pool change its objects. */
final class PlayedCluster implements AutoCloseable {
    private static final Pattern PATH =
            Pattern.compile("/(?:api|apis/[a-z0-9.]+)/v1(?:/namespaces/([^/]+)(?=/))?/([a-z]+)(?:/([^/]+))?");

    private static final Map<String, String> KINDS = Map.of(
            "nodes", "Node",
            "pods", "Pod",
            "persistentvolumeclaims", "PersistentVolumeClaim",
            "secrets", "Secret",
            "persistentvolumes", "PersistentVolume");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** By kind, namespace and name. */
    private final Map<String, ObjectNode> objects = new TreeMap<>();

    private final List<Watch> watches = new ArrayList<>();
    private final List<String> failing = new ArrayList<>();
    private final Set<String> unwatchable = new HashSet<>();
    private int version = 100;

    private record Watch(String kind, OutputStream out) {}

    PlayedCluster() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Writes a kubeconfig of this cluster. */
    Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters: [{name: played, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: nobody, user: {}}]
                contexts: [{name: test, context: {cluster: played, user: nobody}}]
                """
                        .formatted(server.getAddress().getPort()));
    }

    /** Answers the next request of this method and kind with 500. */
    synchronized void failNext(String method, String kind) {
        failing.add(method + " " + kind);
    }

    /** Ends the watches of this kind, and refuses others; lists are answered. */
    synchronized void refuseWatches(String kind) throws IOException {
        unwatchable.add(kind);
        for (Watch watch : watches) {
            if (watch.kind().equals(kind)) {
                watch.out().close();
            }
        }
        watches.removeIf(watch -> watch.kind().equals(kind));
    }

    /** As {@link #put}, but no watch shows it. */
    synchronized void putUnseen(String kind, String json) throws IOException {
        List<Watch> seeing = List.copyOf(watches);
        watches.clear();
        put(kind, json);
        watches.addAll(seeing);
    }

    synchronized Optional<JsonNode> get(String kind, String name) {
        return objects.entrySet().stream()
                .filter(e -> e.getKey().startsWith(kind + "/") && e.getKey().endsWith("/" + name))
                .<JsonNode>map(Map.Entry::getValue)
                .findFirst();
    }

    /** @param json of an object with a name, in single quotes */
    synchronized void put(String kind, String json) throws IOException {
        ObjectNode object = (ObjectNode) Json.mapper().readTree(json.replace('\'', '"'));
        store(kind, object.at("/metadata/namespace").asText(), object);
    }

    /** Changes the status of an object, in JSON with single quotes. */
    synchronized void status(String kind, String name, String json) throws IOException {
        ObjectNode object = ((ObjectNode) get(kind, name).orElseThrow()).deepCopy();
        object.set("status", Json.mapper().readTree(json.replace('\'', '"')));
        store(kind, object.at("/metadata/namespace").asText(), object);
    }

    private ObjectNode store(String kind, String namespace, ObjectNode object) {
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        String key = kind + "/" + namespace + "/" + metadata.get("name").asText();
        if (!metadata.has("uid")) {
            metadata.put("uid", UUID.randomUUID().toString());
        }
        metadata.put("resourceVersion", Integer.toString(++version));
        if (object.has("stringData")) {
            ObjectNode data = object.putObject("data");
            object.remove("stringData")
                    .properties()
                    .forEach(e -> data.put(e.getKey(), e.getValue().asText().getBytes(StandardCharsets.UTF_8)));
        }
        boolean fresh = objects.put(key, object) == null;
        send(kind, fresh ? "ADDED" : "MODIFIED", object);
        return object;
    }

    private void send(String kind, String type, ObjectNode object) {
        for (Iterator<Watch> all = watches.iterator(); all.hasNext(); ) {
            Watch watch = all.next();
            try {
                if (watch.kind().equals(kind)) {
                    watch.out().write(Json.bytes(Map.of("type", type, "object", object)));
                    watch.out().write('\n');
                    watch.out().flush();
                }
            } catch (IOException e) {
                all.remove();
            }
        }
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        Matcher path = PATH.matcher(exchange.getRequestURI().getPath());
        if (!path.matches()) {
            answer(exchange, 404, status(404));
            return;
        }
        String namespace = Objects.requireNonNullElse(path.group(1), "");
        String kind = path.group(2);
        String name = path.group(3);
        String method = exchange.getRequestMethod();
        String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
        JsonNode body = Json.mapper().readTree(exchange.getRequestBody());
        if (failing.remove(method + " " + kind)) {
            answer(exchange, 500, status(500));
        } else if (query.contains("watch=") && unwatchable.contains(kind)) {
            answer(exchange, 403, status(403));
        } else if (query.contains("watch=")) {
            watch(exchange, kind);
        } else if (method.equals("POST")) {
            String key =
                    kind + "/" + namespace + "/" + body.at("/metadata/name").asText();
            boolean there = objects.containsKey(key);
            answer(exchange, there ? 409 : 201, there ? status(409) : store(kind, namespace, (ObjectNode) body));
        } else if (name == null) {
            answer(exchange, 200, list(kind));
        } else {
            one(exchange, method, kind, namespace, name, body);
        }
    }

    private void one(HttpExchange exchange, String method, String kind, String namespace, String name, JsonNode body)
            throws IOException {
        ObjectNode there = objects.get(kind + "/" + namespace + "/" + name);
        String expected = body.at(
                        method.equals("DELETE") ? "/preconditions/resourceVersion" : "/metadata/resourceVersion")
                .asText();
        if (there == null) {
            answer(exchange, 404, status(404));
        } else if (!expected.isEmpty()
                && !expected.equals(there.at("/metadata/resourceVersion").asText())) {
            answer(exchange, 409, status(409));
        } else if (method.equals("PATCH")) {
            answer(exchange, 200, store(kind, namespace, merged(there, body)));
        } else if (method.equals("PUT")) {
            answer(exchange, 200, store(kind, namespace, (ObjectNode) body));
        } else if (method.equals("DELETE")) {
            objects.remove(kind + "/" + namespace + "/" + name);
            ((ObjectNode) there.get("metadata")).put("resourceVersion", Integer.toString(++version));
            send(kind, "DELETED", there);
            answer(exchange, 200, there);
        } else {
            answer(exchange, 200, there);
        }
    }

    private static ObjectNode merged(ObjectNode object, JsonNode patch) {
        try {
            return Json.mapper().readerForUpdating(object.deepCopy()).readValue(patch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode list(String kind) {
        ObjectNode list =
                Json.mapper().createObjectNode().put("apiVersion", "v1").put("kind", "List");
        list.putObject("metadata").put("resourceVersion", Integer.toString(version));
        ArrayNode items = list.putArray("items");
        objects.forEach((key, object) -> {
            if (key.startsWith(kind + "/")) {
                items.add(object);
            }
        });
        return list;
    }

    /** A client whose WebSocket is refused with 503 watches by plain HTTP. */
    private void watch(HttpExchange exchange, String kind) throws IOException {
        if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
            answer(exchange, 503, status(503));
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        Map<String, ?> bookmark = Map.of(
                "apiVersion",
                "v1",
                "kind",
                KINDS.getOrDefault(kind, ""),
                "metadata",
                Map.of("resourceVersion", Integer.toString(version)));
        // the client sees the answer with its first bytes
        exchange.getResponseBody().write(Json.bytes(Map.of("type", "BOOKMARK", "object", bookmark)));
        exchange.getResponseBody().write('\n');
        exchange.getResponseBody().flush();
        watches.add(new Watch(kind, exchange.getResponseBody()));
    }

    private static ObjectNode status(int code) {
        return Json.mapper()
                .valueToTree(Map.of("apiVersion", "v1", "kind", "Status", "code", code, "message", "played " + code));
    }

    private static void answer(HttpExchange exchange, int code, ObjectNode content) throws IOException {
        byte[] bytes = Json.bytes(content);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
