package io.ringmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.json.Json;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.LoginAnswer;
import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.api.SessionState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Login, sessions, and the checks of host and origin, as a browser and as a hostile page would ask. */
class LoginTest {
    private static final String TOKEN = "Authorization: Bearer " + TestDatacenter.TOKEN;
    private static final String CORDON = "machines/dc1/machine-1/cordon";

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;

    /** @param halves both halves of a session, as the page sends them */
    private record Page(LoginAnswer session, String setCookie, List<String> halves) {
        String[] headers() {
            return halves.toArray(String[]::new);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        datacenter = TestDatacenter.alone(directory);
    }

    @AfterAll
    static void stop() {
        datacenter.close();
    }

    private static Answer send(String method, String path, String body, String... headers) throws IOException {
        return RawHttp.send(datacenter.url().getPort(), method, "/api/v1/" + path, body, headers);
    }

    private static String code(String who) throws IOException {
        Answer answer = send("POST", "login-codes", "", TOKEN, "Ringmaster-User: " + who);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return Json.parse(answer.text(), LoginCode.class).code();
    }

    private static Page login(String body, String... headers) throws IOException {
        Answer answer = send("POST", "session", body, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        LoginAnswer session = Json.parse(answer.text(), LoginAnswer.class);
        String cookie = answer.header("Set-Cookie");
        return new Page(
                session,
                cookie,
                List.of("Cookie: " + cookie.substring(0, cookie.indexOf(';')), "Ringmaster-Session: " + session.key()));
    }

    private static Page anna() throws IOException {
        return login("{\"code\":\"" + code("anna") + "\"}");
    }

    @Test
    void a_code_opens_a_session_once_and_its_name_is_in_the_audit() throws IOException {
        String code = code("anna");
        Page page = login("{\"code\":\"" + code + "\"}");
        assertThat(page.session.who()).isEqualTo("anna");
        assertThat(send("POST", "session", "{\"code\":\"" + code + "\"}").status())
                .isEqualTo(401);

        var headers = new ArrayList<>(page.halves);
        headers.add("Ringmaster-User: mallory");
        assertThat(send("PUT", CORDON, "", headers.toArray(String[]::new)).status())
                .isEqualTo(200);
        assertThat(datacenter.client().audit(1).items()).singleElement().satisfies(entry -> assertThat(entry.who())
                .isEqualTo("anna"));
    }

    @Test
    void the_cookie_is_for_the_api_of_this_port_alone_and_secure_behind_https() throws IOException {
        Page page = anna();
        assertThat(page.setCookie)
                .startsWith("ringmaster-" + datacenter.url().getPort() + "=")
                .contains("; Path=/api;", "; HttpOnly", "; SameSite=Strict", "; Max-Age=43200")
                .doesNotContain("Secure")
                .doesNotContain(page.session.key());
        Page behindProxy = login("{\"code\":\"" + code("anna") + "\"}", "X-Forwarded-Proto: https");
        assertThat(behindProxy.setCookie).endsWith("; Secure");
    }

    /** An open page sends both halves to the next program on the port of the tunnel, which does not know its secret. */
    @Test
    void a_session_that_was_opened_through_a_tunnel_counts_with_its_secret_alone() throws IOException {
        String secret = "Ringmaster-Tunnel: secret";
        Page page = login("{\"code\":\"" + code("anna") + "\"}", secret);
        String cookie = page.halves.get(0);
        String key = page.halves.get(1);
        assertThat(send("PUT", CORDON, "", cookie, key).status()).isEqualTo(401);
        assertThat(send("PUT", CORDON, "", cookie, key, secret + "2").status()).isEqualTo(401);
        assertThat(send("PUT", CORDON, "", secret, cookie, key).status()).isEqualTo(200);
        Page direct = anna();
        assertThat(send("PUT", CORDON, "", direct.halves.get(0), direct.halves.get(1), secret)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void a_session_needs_both_halves_and_the_cookie_of_this_port() throws IOException {
        Page page = anna();
        String cookie = page.halves.get(0);
        String key = page.halves.get(1);
        String otherPort = cookie.replace("ringmaster-" + datacenter.url().getPort(), "ringmaster-1");
        for (String[] halves : List.of(
                new String[] {cookie},
                new String[] {key},
                new String[] {otherPort, key},
                new String[] {cookie, anna().halves.get(1)},
                new String[] {cookie, key.substring(0, key.length() - 1)})) {
            assertThat(send("DELETE", CORDON, "", halves).status()).isEqualTo(401);
        }
        assertThat(send("DELETE", CORDON, "", cookie, key).status()).isEqualTo(200);
    }

    @Test
    void the_state_of_the_session_needs_no_login_and_logout_removes_the_cookie() throws IOException {
        SessionState nobody = Json.parse(send("GET", "session", "").text(), SessionState.class);
        assertThat(nobody.datacenter()).isEqualTo(datacenter.name());
        assertThat(nobody.readsOpen()).isTrue();
        assertThat(nobody.who()).isNull();
        Page page = anna();
        SessionState anna =
                Json.parse(send("GET", "session", "", page.headers()).text(), SessionState.class);
        assertThat(anna.who()).isEqualTo("anna");
        assertThat(anna.expiresAt()).isEqualTo(page.session.expiresAt());
        Answer logout = send("DELETE", "session", "", page.headers());
        assertThat(logout.status()).isEqualTo(204);
        assertThat(logout.header("Set-Cookie")).contains("=; ", "; Max-Age=0");
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_logout_ends_the_session_and_its_event_stream() throws Exception {
        Page page = anna();
        var request = HttpRequest.newBuilder(datacenter.url().resolve("/api/v1/events?fleet=true"))
                .header("Accept", "text/event-stream");
        page.halves.forEach(half -> request.header(half.split(": ", 2)[0], half.split(": ", 2)[1]));
        var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": follows");
            assertThat(send("PUT", CORDON + "?reason=first", "", TOKEN).status())
                    .isEqualTo(200);
            String line = lines.readLine();
            while (!line.startsWith("data:") || !line.contains("first")) {
                line = lines.readLine();
            }
            assertThat(send("DELETE", "session", "", page.headers()).status()).isEqualTo(204);
            assertThat(send("PUT", CORDON + "?reason=second", "", TOKEN).status())
                    .isEqualTo(200);
            assertThat(lines.lines().toList()).noneMatch(l -> l.contains("second"));
        }
        assertThat(send("DELETE", CORDON, "", page.headers()).status()).isEqualTo(401);
        assertThat(send("DELETE", CORDON, "", anna().headers()).status()).isEqualTo(200);
    }

    @Test
    void a_session_makes_no_login_codes_and_is_no_server() throws IOException {
        Page page = anna();
        assertThat(send("POST", "login-codes", "", page.headers()).status()).isEqualTo(401);
        assertThat(send("POST", "peers/exchange", "{}", page.headers()).status())
                .isEqualTo(401);
        assertThat(send("POST", "login-codes", "").status()).isEqualTo(401);
    }

    @Test
    void the_token_opens_a_session_under_a_name_of_the_allowed_form() throws IOException {
        String login = "{\"token\":\"" + TestDatacenter.TOKEN + "\",\"who\":\"%s\"}";
        assertThat(login(String.format(login, "bob")).session.who()).isEqualTo("bob");
        Answer refused = send("POST", "session", String.format(login, "a b; Path=/"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("\"field\":\"who\"");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, clusters, evil.example, 421",
        "GET, session, evil.example:8080, 421",
        "POST, session, evil.example, 421",
        "GET, metrics, evil.example, 421",
        "GET, nowhere, evil.example, 421",
        "GET, health, evil.example, 200",
        "GET, clusters, localhost:8080, 200",
        "GET, clusters, DC.example.com, 200",
        "GET, clusters, dc.example.com:444, 200",
        "GET, clusters, 192.0.2.7, 200",
        "GET, clusters, [2001:db8::1]:8080, 200",
    })
    void a_name_that_was_rebound_to_this_server_reads_nothing(String method, String path, String host, int status)
            throws IOException {
        assertThat(send(method, path, "", "Host: " + host).status()).isEqualTo(status);
    }

    @Test
    void the_page_is_no_exception_and_the_token_is_one() throws IOException {
        int port = datacenter.url().getPort();
        Answer answer = RawHttp.send(port, "GET", "/", "", "Host: evil.example");
        assertThat(answer.status()).isEqualTo(421);
        assertThat(answer.text()).contains("HOST_UNKNOWN", "web_hosts");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(send("GET", "clusters", "", "Host: evil.example", TOKEN).status())
                .isEqualTo(200);
        assertThat(send("GET", "clusters", "", "Host: evil.example", TOKEN + "x")
                        .status())
                .isEqualTo(421);
    }

    @ParameterizedTest
    @CsvSource({
        "Origin: http://evil.example, 403",
        "Origin: null, 403",
        "Origin: http://127.0.0.1:1, 403",
        "Sec-Fetch-Site: cross-site, 403",
        "Sec-Fetch-Site: same-site, 403",
        "Sec-Fetch-Site: same-origin, 200",
        "Origin: http://OWN, 200",
    })
    void a_request_that_another_site_sent_changes_nothing(String header, int status) throws IOException {
        String sent = header.replace("OWN", datacenter.url().getAuthority());
        var headers = Stream.concat(anna().halves.stream(), Stream.of(sent)).toArray(String[]::new);
        Answer answer = send("DELETE", CORDON, "", headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(send("POST", "machines/what-if", "{}", sent).status()).isEqualTo(status == 403 ? 403 : 400);
        assertThat(send("GET", "clusters", "", sent).status()).isEqualTo(200);
        assertThat(send("DELETE", CORDON, "", TOKEN, sent).status()).isEqualTo(200);
    }

    @Test
    void long_answers_are_packed_and_short_ones_are_not() throws IOException {
        Answer operations = send("GET", "operations", "", "Accept-Encoding: gzip");
        assertThat(operations.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(operations.body().length)
                .isLessThan(send("GET", "operations", "").body().length);
        assertThat(send("GET", "health", "", "Accept-Encoding: gzip").header("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void a_standby_checks_the_session_and_forwards_under_its_name() throws IOException {
        URI standby = datacenter.startAnotherServer();
        try {
            var client = TestDatacenter.client(standby, TestDatacenter.TOKEN);
            Eventually.becomes(client::health, h -> h.state() == Health.State.STANDBY);
            String[] headers = anna().headers();
            headers[0] =
                    headers[0].replace("ringmaster-" + datacenter.url().getPort(), "ringmaster-" + standby.getPort());
            Answer forwarded =
                    RawHttp.send(standby.getPort(), "PUT", "/api/v1/" + CORDON + "?reason=standby", "", headers);
            assertThat(forwarded.status()).as(forwarded.text()).isEqualTo(200);
            assertThat(datacenter.client().audit(1).items()).singleElement().satisfies(entry -> assertThat(entry.who())
                    .isEqualTo("anna"));
            Answer halved = RawHttp.send(standby.getPort(), "DELETE", "/api/v1/" + CORDON, "", headers[0]);
            assertThat(halved.status()).isEqualTo(401);
        } finally {
            datacenter.stopServer(standby);
        }
    }
}
