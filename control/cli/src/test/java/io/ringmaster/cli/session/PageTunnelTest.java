package io.ringmaster.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.TlsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PageTunnelTest {
    private static final String PAGE = "page ".repeat(100_000);

    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<String>> secrets = new LinkedBlockingQueue<>();
    private TlsServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void serve() throws IOException {
        server = listen("first", 0, List.of("127.0.0.1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private TlsServer listen(String ca, int port, List<String> hosts) throws IOException {
        return new TlsServer(directory, ca, port, hosts, exchange -> {
            secrets.add(exchange.getRequestHeaders().get("Ringmaster-Tunnel"));
            byte[] body = (exchange.getRequestHeaders().getFirst("Host") + " "
                            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private PageTunnel tunnel() throws IOException {
        return PageTunnel.open(0, server.url(), KeptServers.trusting(List.of(server.authority())), failures::add);
    }

    /** By a connection of its own. */
    private String post(URI url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .POST(HttpRequest.BodyPublishers.ofString(PAGE))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void a_browser_reaches_the_server_without_its_certificate_and_again_after_a_restart() throws Exception {
        try (PageTunnel tunnel = tunnel()) {
            assertThat(InetAddress.getByName(tunnel.url().getHost()).isLoopbackAddress())
                    .isTrue();
            String host = tunnel.url().getAuthority();
            assertThat(post(tunnel.url())).isEqualTo(host + " " + PAGE);
            int port = server.port();
            server.close();
            assertThatThrownBy(() -> post(tunnel.url())).isInstanceOf(IOException.class);
            assertThat(failures.poll(10, TimeUnit.SECONDS)).startsWith("https://127.0.0.1:" + port + ": ");
            server = listen("first", port, List.of("127.0.0.1"));
            assertThat(post(tunnel.url())).isEqualTo(host + " " + PAGE);
        }
    }

    @Test
    void each_request_has_the_secret_of_its_tunnel() throws Exception {
        try (PageTunnel one = tunnel();
                PageTunnel other = tunnel()) {
            HttpClient browser = HttpClient.newHttpClient();
            for (PageTunnel tunnel : List.of(one, one, other)) {
                browser.send(HttpRequest.newBuilder(tunnel.url()).build(), HttpResponse.BodyHandlers.discarding());
            }
            List<String> first = secrets.take();
            assertThat(first).singleElement().asString().hasSize(43);
            assertThat(secrets.take()).as("of the same browser").isEqualTo(first);
            assertThat(secrets.take()).as("of another tunnel").hasSize(1).isNotEqualTo(first);
        }
    }

    @Test
    void a_server_of_another_CA_or_name_gets_no_byte() throws Exception {
        int port = server.port();
        try (PageTunnel tunnel = tunnel()) {
            server.close();
            server = listen("second", port, List.of("127.0.0.1"));
            assertThatThrownBy(() -> post(tunnel.url())).isInstanceOf(IOException.class);
            assertThat(failures.poll(10, TimeUnit.SECONDS)).contains("PKIX path building failed");
            server.close();
            server = listen("first", port, List.of("10.9.9.9"));
            assertThatThrownBy(() -> post(tunnel.url())).isInstanceOf(IOException.class);
            assertThat(failures.poll(10, TimeUnit.SECONDS)).contains("127.0.0.1");
        }
    }

    @Test
    void a_port_in_use_is_named_and_a_closed_tunnel_listens_no_more() throws Exception {
        PageTunnel tunnel = tunnel();
        int port = tunnel.url().getPort();
        assertThatThrownBy(() -> PageTunnel.open(port, server.url(), KeptServers.trusting(List.of()), failures::add))
                .hasMessageStartingWith("127.0.0.1:" + port + ": ");
        assertThatThrownBy(() -> PageTunnel.open(70_000, server.url(), KeptServers.trusting(List.of()), failures::add))
                .hasMessage("127.0.0.1:70000: ports are 1 to 65535");
        tunnel.close();
        assertThatThrownBy(() -> post(tunnel.url())).isInstanceOf(IOException.class);
    }
}
