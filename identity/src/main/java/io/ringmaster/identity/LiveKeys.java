package io.ringmaster.identity;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key and certificate of a process, which change while connections are made. New handshakes use the newest;
 * established connections go on.
 */
public final class LiveKeys extends X509ExtendedKeyManager {
    /**
     * Former identities that are still answered for. A handshake chooses an alias and then asks for its key and its
     * certificate; both must be of one identity, also when there is a newer one in between.
     */
    private static final int FORMER = 64;

    private record Held(long number, KeyAndChain identity) {
        String alias() {
            return Long.toString(number);
        }
    }

    /** The newest last; replaced as a whole. */
    private volatile List<Held> held;

    public LiveKeys(KeyAndChain identity) {
        held = List.of(new Held(1, identity));
    }

    /** The newest key and certificate. */
    public KeyAndChain current() {
        return newest().identity;
    }

    /** Replaces key and certificate. The caller has judged them: {@link Pem#keyAndChain}. */
    public synchronized void swap(KeyAndChain identity) {
        var next = new Held(newest().number + 1, identity);
        List<Held> former = held.subList(Math.max(0, held.size() - FORMER), held.size());
        held = Stream.concat(former.stream(), Stream.of(next)).toList();
    }

    private Held newest() {
        List<Held> all = held;
        return all.get(all.size() - 1);
    }

    private @Nullable String alias(String keyType) {
        Held newest = newest();
        return newest.identity.key().getAlgorithm().equals(keyType) ? newest.alias() : null;
    }

    /** A certificate is shown only to a server that asks for one of its CA. */
    private @Nullable String clientAlias(String[] keyTypes, Principal @Nullable [] issuers) {
        boolean wanted = issuers == null
                || issuers.length == 0
                || current().chain().stream()
                        .map(X509Certificate::getIssuerX500Principal)
                        .anyMatch(Arrays.asList(issuers)::contains);
        return wanted
                ? Arrays.stream(keyTypes)
                        .map(this::alias)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private @Nullable KeyAndChain of(String alias) {
        return held.stream()
                .filter(one -> one.alias().equals(alias))
                .map(Held::identity)
                .findFirst()
                .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        KeyAndChain identity = of(alias);
        return identity == null ? null : identity.key();
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        KeyAndChain identity = of(alias);
        return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return clientAlias(keyTypes, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return clientAlias(keyTypes, issuers);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return all(alias(keyType));
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return all(clientAlias(new String[] {keyType}, issuers));
    }

    private static String @Nullable [] all(@Nullable String alias) {
        return alias == null ? null : new String[] {alias};
    }
}
