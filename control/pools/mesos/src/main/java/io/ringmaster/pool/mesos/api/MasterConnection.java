package io.ringmaster.pool.mesos.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the leading master and sends it requests. Safe for concurrent use. */
public final class MasterConnection {
    private static final String STREAM_ID = "Mesos-Stream-Id";
    private static final String SCHEDULER = "/api/v1/scheduler";

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int REDIRECT = 307;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final List<String> masters;
    private final @Nullable String principal;
    private final @Nullable Path secretFile;
    /** The one that answered last; a redirect leads to the leader. */
    private volatile String master;

    private volatile int next;

    public MasterConnection(MesosPoolSettings settings) {
        masters = settings.masters();
        principal = settings.principal();
        secretFile = settings.secretFile();
        master = masters.get(0);
    }

    /** Host and port of the master that is asked, for people. */
    public String master() {
        return master;
    }

    /**
     * Asks what operators ask, such as {@code GET_AGENTS}.
     *
     * @return the part of the answer with the name of the question in lower case
     */
    public JsonNode ask(String type) throws IOException, InterruptedException {
        ObjectNode question = Json.mapper().createObjectNode().put("type", type);
        HttpResponse<byte[]> answer = leader("/api/v1", question, BodyHandlers.ofByteArray());
        if (answer.statusCode() != OK) {
            throw refused(type, answer, new String(answer.body(), StandardCharsets.UTF_8));
        }
        return parse(answer.body()).path(type.toLowerCase(Locale.ROOT));
    }

    static JsonNode parse(byte[] json) throws IOException {
        try {
            return Json.parse(json, JsonNode.class);
        } catch (UncheckedIOException e) {
            throw new MesosException("a master answered no JSON", e);
        }
    }

    /**
     * An open stream of a scheduler.
     *
     * @param master that it leads to: no other one knows its calls
     */
    record Stream(String master, String id, InputStream body) {}

    /** Sends a call of the scheduler with this stream. */
    void call(ObjectNode call, Stream stream) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(stream.master(), SCHEDULER, call, stream.id(), BodyHandlers.ofString());
        if (answer.statusCode() != ACCEPTED && answer.statusCode() != OK) {
            throw refused(call.path("type").asText(), answer, answer.body());
        }
    }

    /** Opens the stream of a scheduler. The caller closes the body. */
    Stream subscribe(ObjectNode call) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = leader(SCHEDULER, call, BodyHandlers.ofInputStream());
        Optional<String> id = answer.headers().firstValue(STREAM_ID);
        if (answer.statusCode() != OK || id.isEmpty()) {
            try (InputStream body = answer.body()) {
                String text = new String(body.readNBytes(2000), StandardCharsets.UTF_8);
                throw refused("SUBSCRIBE", answer, text);
            }
        }
        return new Stream(answer.uri().getAuthority(), id.get(), answer.body());
    }

    private static MesosException refused(String type, HttpResponse<?> answer, String text) {
        return new MesosException("the master " + answer.uri().getAuthority() + " refused " + type + " with "
                + answer.statusCode() + ": " + text.strip());
    }

    /** Follows redirects to the leader, and asks the others if one does not answer. */
    private <T> HttpResponse<T> leader(String path, ObjectNode body, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        IOException last = new MesosException("no master answered");
        for (int attempt = 0; attempt <= masters.size(); attempt++) {
            String asked = master;
            try {
                HttpResponse<T> answer = send(asked, path, body, null, handler);
                if (answer.statusCode() != REDIRECT) {
                    return answer;
                }
                if (answer.body() instanceof InputStream stream) {
                    stream.close();
                }
                // without a scheme: //127.0.0.2:5050/master/api/v1/scheduler
                URI leader = URI.create("http:"
                        + answer.headers().firstValue("Location").orElse("").replaceFirst("^https?:", ""));
                master = leader.getHost() + ":" + leader.getPort();
            } catch (IOException e) {
                last = new MesosException("the master " + asked + " does not answer: " + reason(e), e);
                next = (next + 1) % masters.size();
                master = masters.get(next);
            }
        }
        throw last;
    }

    private static String reason(IOException e) {
        return ThrowableText.of(e);
    }

    private <T> HttpResponse<T> send(
            String host, String path, ObjectNode body, @Nullable String stream, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + host + path))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
        if (stream != null) {
            request.header(STREAM_ID, stream);
        }
        if (principal != null && secretFile != null) {
            // read for each request, so that a new secret needs no restart
            String pair = principal + ":" + Files.readString(secretFile).strip();
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return client.send(request.build(), handler);
    }
}
