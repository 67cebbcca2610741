package io.ringmaster.companion;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/** One request to one server, by HttpURLConnection: the JDK's newer client costs threads and 0.5 s of CPU time. */
final class SeedRequest {
    private static final int CONNECT_TIMEOUT_MS = 1000;
    private static final int READ_TIMEOUT_MS = 2000;
    private static final int MAX_ANSWER_BYTES = 256 * 1024;

    private SeedRequest() {}

    /**
     * @param trust the authorities of servers; null if the executor has none, which is enough for http
     * @throws IOException no answer in time, a status other than 200, or a server that no authority knows by this name
     * @throws IllegalArgumentException {@code server} is not a URL
     */
    static SeedAnswer ask(String server, String node, @Nullable Path trust) throws IOException {
        URI uri = URI.create(server + "/api/v1/seeds?node=" + URLEncoder.encode(node, StandardCharsets.UTF_8));
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(java.net.Proxy.NO_PROXY);
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(READ_TIMEOUT_MS);
        if (connection instanceof HttpsURLConnection secure) {
            if (trust == null) {
                throw new IOException("its executor gave it no authority of servers: it was launched without TLS, or is"
                        + " of an earlier release; end it (executor.pid), and the server launches it again");
            }
            secure.setSSLSocketFactory(ServerTrust.sockets(trust));
        }
        try {
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException("status " + connection.getResponseCode());
            }
            try (InputStream in = connection.getInputStream()) {
                return SeedAnswer.parse(new String(in.readNBytes(MAX_ANSWER_BYTES), StandardCharsets.UTF_8));
            }
        } finally {
            connection.disconnect();
        }
    }
}
