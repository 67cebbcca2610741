package io.ringmaster.identity;

import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS contexts over keys and trust that change. */
public final class TlsContexts {
    /** The versions of TLS in use, the best first. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private TlsContexts() {}

    /**
     * A context for clients and servers. Engines and sockets get their versions of TLS from {@link #parameters}.
     *
     * @param keys null for a client that shows no certificate
     */
    public static SSLContext of(@Nullable LiveKeys keys, X509ExtendedTrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys == null ? null : new KeyManager[] {keys}, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /** Parameters of the context that allow nothing below TLS 1.2. */
    public static SSLParameters parameters(SSLContext context) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(PROTOCOLS.toArray(String[]::new));
        return parameters;
    }

    /**
     * Forgets all sessions, because a resumed session checks no certificate. To call after trust was taken away.
     *
     * <p>Not enough for a server that gives stateless tickets, as JDK servers do by default: such a server needs a new
     * context, or {@code -Djdk.tls.server.enableSessionTicketExtension=false}.
     */
    public static void forgetSessions(SSLContext context) {
        forget(context.getClientSessionContext());
        forget(context.getServerSessionContext());
    }

    private static void forget(@Nullable SSLSessionContext sessions) {
        if (sessions == null) {
            return;
        }
        for (byte[] id : Collections.list(sessions.getIds())) {
            SSLSession session = sessions.getSession(id);
            if (session != null) {
                session.invalidate();
            }
        }
    }
}
