package io.ringmaster.cli;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A server on loopback with a certificate of a CA of its own. */
public final class TlsServer implements AutoCloseable {
    public static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final AuthorityName CONTROL = AuthorityName.control(DC1, 1);

    private final HttpsServer server;
    private final X509Certificate authority;

    /**
     * @param directory of the CAs
     * @param ca each name has a CA of its own
     * @param port 0 for a free one
     * @param hosts names in the certificate
     */
    public TlsServer(Path directory, String ca, int port, List<String> hosts, HttpHandler handler) throws IOException {
        var issuer =
                new Issuer(new AuthorityDirectory(directory.resolve(ca)), CONTROL, Duration.ofDays(1), Instant::now);
        authority = Pem.certificates(issuer.make(CONTROL).text(), ca).get(0);
        KeyAndChain own = issuer.identity(LeafProfile.server(CONTROL, hosts));
        var keys = new LiveKeys(new KeyAndChain(own.key(), List.of(own.leaf(), authority)));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(TlsContexts.of(keys, new LiveTrust(List.of()))));
        server.createContext("/", handler);
        server.start();
    }

    public X509Certificate authority() {
        return authority;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public URI url() {
        return URI.create("https://127.0.0.1:" + port());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
