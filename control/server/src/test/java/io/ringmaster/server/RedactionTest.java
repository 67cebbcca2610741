package io.ringmaster.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.api.LoginAnswer;
import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Planted secrets are in no record, log line, plan, event or answer, apart from the one answer that hands them out. */
class RedactionTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String STORE_SECRET = "planted-secret-of-the-store-of-backups";

    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<String> refusals = new ArrayList<>();
    /** By what they are. */
    private final Map<String, String> planted = new LinkedHashMap<>();

    @Test
    void nothing_shows_a_secret() throws Exception {
        Logger ours = (Logger) LoggerFactory.getLogger("io.ringmaster");
        Level before = ours.getLevel();
        ours.setLevel(Level.DEBUG);
        log.start();
        ours.addAppender(log);
        try (var datacenter = TestDatacenter.alone(directory, false)) {
            use(datacenter);
            List<String> seen = new ArrayList<>(answers(datacenter));
            assertThat(refusals).hasSizeGreaterThan(5);
            seen.addAll(refusals);
            datacenter.records().forEach(record -> seen.add(Json.text(record) + record));
            log.list.forEach(event -> seen.add(text(event)));
            datacenter.client().plans(null).items().forEach(plan -> seen.add(plan.toString()));
            assertThat(seen).hasSizeGreaterThan(30);
            planted.forEach((what, secret) -> assertThat(seen).as(what).noneMatch(text -> text.contains(secret)));
        } finally {
            ours.detachAppender(log);
            ours.setLevel(before);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(Files::isRegularFile).filter(this::mayNot).toList()) {
                String content = Files.readString(file, ISO_8859_1);
                planted.forEach((what, secret) -> assertThat(content.contains(secret))
                        .as(what + " in " + file)
                        .isFalse());
            }
        }
    }

    /** The places where a secret belongs. */
    private boolean mayNot(Path file) {
        return !file.getFileName().toString().equals("main.key");
    }

    /** Plants secrets and uses each of them in requests that succeed and in requests that fail. */
    private void use(TestDatacenter datacenter) throws IOException, InterruptedException {
        planted.put("the token file", TestDatacenter.TOKEN);
        var admin = datacenter.client();
        TokenAnswer token = admin.createToken(new TokenAsk("ci", Role.OPERATOR, new ClusterPattern("*"), 3600), false);
        String text = Objects.requireNonNull(token.token());
        planted.put("an API token", text.substring(text.length() - 64));
        planted.put("a wrong token", "f".repeat(40) + "0".repeat(24));
        planted.put("a login that failed", "planted-wrong-token-of-a-login");
        var ci = TestDatacenter.client(datacenter.url(), text);
        ci.apply(RIDES, Specs.of("rides", "dc1: {nodes: 1, seeds: 1}"), 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> ci.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        ci.operate(RIDES, "flush", new OperationAsk(Map.of(), "a test"), ChangeOptions.APPLY);
        session(datacenter, text);
        String wrong = "rm_" + token.info().id() + "_" + planted.get("a wrong token");
        send(datacenter, "DELETE", "clusters/rides", "", "Authorization: Bearer " + wrong);
        send(
                datacenter,
                "POST",
                "session",
                "{\"token\":\"" + planted.get("a login that failed") + "\",\"who\":\"eve\"}");
        send(datacenter, "POST", "session", "{\"token\":[\"" + planted.get("a login that failed") + "\"]}");
        Thread.sleep(1100); // of the refusals of one address, one a second is kept
        // a token where its id belongs: without the right, and with it
        send(datacenter, "DELETE", "tokens/" + text, "", "Authorization: Bearer " + text);
        send(datacenter, "DELETE", "tokens/" + text, "", "Authorization: Bearer " + TestDatacenter.TOKEN);
        send(datacenter, "POST", "nothing/" + text, "");
        location(datacenter);
        admin.revokeToken(token.info().id(), false);
        send(datacenter, "DELETE", "clusters/rides", "", "Authorization: Bearer " + text);
    }

    private void session(TestDatacenter datacenter, String token) throws IOException {
        Answer made = send(datacenter, "POST", "login-codes", "", "Authorization: Bearer " + token);
        String code = Json.parse(made.text(), LoginCode.class).code();
        planted.put("a login code", code);
        Answer login = send(datacenter, "POST", "session", "{\"code\":\"" + code + "\"}");
        String key = Json.parse(login.text(), LoginAnswer.class).key();
        planted.put("the key of a session", key);
        String cookie = login.header("Set-Cookie").replaceFirst(";.*", "");
        planted.put("the signature of a session", cookie.split("\\.", -1)[1]);
        String[] halves = {"Cookie: " + cookie, "Ringmaster-Session: " + key};
        send(datacenter, "POST", "clusters/rides/operations/flush", "", halves);
        send(datacenter, "POST", "peers/exchange", "{}", halves);
    }

    private void location(TestDatacenter datacenter) throws IOException {
        planted.put("the key of a store of backups", STORE_SECRET);
        Path locations = Files.createDirectories(datacenter.directory().resolve("locations"));
        Path key = locations.resolve("main.key");
        Files.writeString(key, "access_key_id: planted\nsecret_access_key: " + STORE_SECRET + "\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        datacenter
                .client()
                .addLocation(
                        "main", new LocationAsk("s3://bucket/prefix", "http://127.0.0.1:9", null, "file:main.key"));
    }

    /** Keeps the answer if the request was refused: others may hand out a secret. */
    private Answer send(TestDatacenter datacenter, String method, String path, String body, String... headers)
            throws IOException {
        Answer answer = RawHttp.send(datacenter.url().getPort(), method, "/api/v1/" + path, body, headers);
        if (answer.status() >= 400) {
            refusals.add(answer.headers() + answer.text());
        }
        return answer;
    }

    /** Every read of the file, as an admin; the logs of nodes and backups need real ones. */
    private List<String> answers(TestDatacenter datacenter) throws IOException {
        var answers = new ArrayList<String>();
        for (OpenApiFile.Operation operation : OpenApiFile.read().operations()) {
            if (operation.method().equals("GET") && !operation.path().contains("{name}")) {
                String path = operation
                        .path()
                        .substring(1)
                        .replace("{cluster}", "rides")
                        .replace("{datacenter}", "dc1")
                        .replace("{node}", "node-0")
                        .replace("{plan}", "dc1-1");
                String query = path.equals("seeds") ? "?node=rides/dc1/node-0" : "";
                Answer answer =
                        send(datacenter, "GET", path + query, "", "Authorization: Bearer " + TestDatacenter.TOKEN);
                answers.add(answer.headers() + answer.text());
            }
        }
        return answers;
    }

    private static String text(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getFormattedMessage() + (thrown == null ? "" : thrown.getMessage());
    }
}
