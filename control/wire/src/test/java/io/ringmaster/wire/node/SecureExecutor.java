package io.ringmaster.wire.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.NamedTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.DoorFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Answers servers of its datacenter by TLS, as an executor with a door does, and notes what they show. */
final class SecureExecutor implements AutoCloseable {
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger handshakes = new AtomicInteger();
    private volatile Optional<SpiffeName> caller = Optional.empty();

    SecureExecutor(DoorFiles door, DatacenterName datacenter) {
        try {
            SpiffeName name = SpiffeName.server(datacenter.value());
            var trust = new LiveTrust(Pem.certificates(door.servers(), DoorFiles.SERVERS));
            SSLContext context = TlsContexts.of(
                    new LiveKeys(Pem.keyAndChain(door.identity(), DoorFiles.DOOR)),
                    new NamedTrust(trust, engine -> Optional.of(name)));
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(context) {
                @Override
                public void configure(HttpsParameters connection) {
                    handshakes.incrementAndGet();
                    SSLParameters parameters = TlsContexts.parameters(context);
                    parameters.setNeedClientAuth(true);
                    connection.setSSLParameters(parameters);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The tokens of the requests. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    int handshakes() {
        return handshakes.get();
    }

    SpiffeName caller() {
        return caller.orElseThrow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        var certificate =
                (X509Certificate) ((HttpsExchange) exchange).getSSLSession().getPeerCertificates()[0];
        try (exchange) {
            caller = SubjectNames.of(certificate).spiffe();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("up".getBytes(StandardCharsets.US_ASCII));
        } catch (CertificateParsingException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
