package io.ringmaster.server.door;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CAs of the fleet's servers, in a directory that the servers and users of one computer share: nothing is copied
 * there. CAs of servers elsewhere are put into it by hand, and count within a second.
 */
final class TrustedServers {
    private static final Logger LOG = LoggerFactory.getLogger(TrustedServers.class);
    /** Digits of the fingerprint in the file's name, so that fleets with one name for a datacenter do not meet. */
    private static final int DIGITS = 8;

    private final Path directory;
    private final LiveTrust trust = new LiveTrust(List.of());
    private final SSLContext context = TlsContexts.of(null, trust);
    private @Nullable FileTime seen;
    private List<String> bad = List.of();

    TrustedServers(Path directory) {
        this.directory = directory;
    }

    /** For clients of other servers. */
    SSLContext context() {
        return context;
    }

    /** Adds this server's own CA. */
    void add(DatacenterName datacenter, X509Certificate authority) throws IOException {
        String digits = Fingerprint.of(authority).hex().substring(0, DIGITS);
        DurableFiles.makeDirectories(directory);
        DurableFiles.create(directory.resolve(datacenter + "-" + digits + ".pem"), Pem.text(authority));
    }

    /** Reads the directory again after a file was added or removed. A bad one is left out, and the log names it. */
    void look() {
        try {
            FileTime changed = Files.getLastModifiedTime(directory);
            if (changed.equals(seen)) {
                return;
            }
            List<String> found = new ArrayList<>();
            List<X509Certificate> authorities = Pem.certificatesIn(directory, e -> found.add(ThrowableText.of(e)));
            if (!found.equals(bad)) {
                bad = found;
                found.forEach(why -> LOG.warn("trust_directory: {}; the file is left out", why));
            }
            // a bad file may be mended in its place, which the directory does not show
            seen = found.isEmpty() ? changed : null;
            if (!authorities.equals(trust.authorities())) {
                trust.swap(authorities);
                TlsContexts.forgetSessions(context);
                LOG.info("trusts the servers of {} CAs in {}", authorities.size(), directory);
            }
        } catch (IOException e) {
            LOG.warn("trust_directory: {}; the servers that were trusted before stay trusted", ThrowableText.of(e));
        }
    }
}
