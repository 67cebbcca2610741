package io.ringmaster.identity;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The subject alternative names of a certificate.
 *
 * @param hosts DNS names
 */
public record SubjectNames(List<URI> uris, List<InetAddress> addresses, List<String> hosts) {
    /** Numbers of the choices in RFC 5280, section 4.2.1.6. */
    private static final int DNS = 2;

    private static final int URI_NAME = 6;
    private static final int IP = 7;
    private static final String NUMBER = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern ADDRESS =
            Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

    public SubjectNames {
        uris = List.copyOf(uris);
        addresses = List.copyOf(addresses);
        hosts = List.copyOf(hosts);
    }

    /**
     * The names of a server or node.
     *
     * @param spiffe the identity, if it has one
     * @param hosts IPv4 and IPv6 literals, and DNS names; nothing is looked up
     * @throws IllegalArgumentException one of them looks like an address and is none
     */
    public static SubjectNames of(Optional<SpiffeName> spiffe, Collection<String> hosts) {
        var addresses = new ArrayList<InetAddress>();
        var names = new ArrayList<String>();
        for (String host : hosts) {
            if (!ADDRESS.matcher(host).matches()) {
                names.add(host);
            } else if (!addresses.contains(address(host))) {
                addresses.add(address(host));
            }
        }
        return new SubjectNames(spiffe.map(SpiffeName::uri).stream().toList(), addresses, names);
    }

    /**
     * The names in a certificate. Kinds of names that Ringmaster never writes are left out.
     *
     * @throws CertificateParsingException the extension cannot be read
     */
    public static SubjectNames of(X509Certificate certificate) throws CertificateParsingException {
        var uris = new ArrayList<URI>();
        var addresses = new ArrayList<InetAddress>();
        var hosts = new ArrayList<String>();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                String text = String.valueOf(name.get(1));
                switch ((Integer) name.get(0)) {
                    case DNS -> hosts.add(text);
                    case URI_NAME -> uris.add(uri(text));
                    case IP -> addresses.add(address(text));
                    default -> {}
                }
            }
        }
        return new SubjectNames(uris, addresses, hosts);
    }

    /** The identity: the URI, if there is exactly one and it is a SPIFFE name. */
    public Optional<SpiffeName> spiffe() {
        if (uris.size() != 1 || !"spiffe".equals(uris.get(0).getScheme())) {
            return Optional.empty();
        }
        return Optional.of(new SpiffeName(uris.get(0)));
    }

    private static URI uri(String text) throws CertificateParsingException {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new CertificateParsingException("a name of the certificate is no URI: " + text, e);
        }
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + literal, e);
        }
    }
}
