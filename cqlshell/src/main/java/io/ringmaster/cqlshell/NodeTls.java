package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.TlsContexts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS to nodes, each of them with a certificate for its address. The driver's own factories ask the resolver for the
 * name of each address, and then look for that name in the certificate.
 */
final class NodeTls implements SslEngineFactory {
    private final SSLContext context;

    /**
     * @param authorities PEM
     * @throws PemException they cannot be read
     */
    NodeTls(String authorities) throws PemException {
        context = TlsContexts.of(null, new LiveTrust(Pem.certificates(authorities, "the authorities of the cluster")));
    }

    @Override
    public SSLEngine newSslEngine(EndPoint node) {
        var socket = (InetSocketAddress) node.resolve();
        InetAddress address = Objects.requireNonNull(socket.getAddress(), "endpoints of nodes are addresses");
        SSLEngine engine = context.createSSLEngine(address.getHostAddress(), socket.getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = TlsContexts.parameters(context);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public void close() {}
}
