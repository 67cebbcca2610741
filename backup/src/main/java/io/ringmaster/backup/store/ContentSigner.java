package io.ringmaster.backup.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signature Version 4, over the SHA-256 that the header {@link #CONTENT_SHA256} of a request has already. The signer of
 * the SDK would read the content a second time over plain HTTP, and leave it unsigned over TLS; with this one the store
 * compares the content with the hash that names it.
 */
final class ContentSigner implements AuthScheme<AwsCredentialsIdentity>, HttpSigner<AwsCredentialsIdentity> {
    static final String CONTENT_SHA256 = "x-amz-content-sha256";

    /** Names a checksum that the SDK's own signer would add to a request that stores take only with one. */
    private static final String DEMANDED_CHECKSUM = "x-amz-sdk-checksum-algorithm";

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final Pattern AMPERSAND = Pattern.compile("&");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Override
    public String schemeId() {
        return "aws.auth#sigv4";
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return providers.identityProvider(AwsCredentialsIdentity.class);
    }

    @Override
    public HttpSigner<AwsCredentialsIdentity> signer() {
        return this;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> unsigned) {
        // the clock carries the correction that the SDK learns from a store
        Clock clock = unsigned.requireProperty(SIGNING_CLOCK, Clock.systemUTC());
        String time = TIME.format(Instant.now(clock));
        String region = unsigned.requireProperty(AwsV4HttpSigner.REGION_NAME);
        List<String> scopes = List.of(time.substring(0, 8), region, "s3", "aws4_request");
        String scope = String.join("/", scopes);
        AwsCredentialsIdentity key = unsigned.identity();
        String hash = unsigned.request().firstMatchingHeader(CONTENT_SHA256).orElseGet(() -> HexFormat.of()
                .formatHex(sha256(body(unsigned))));
        SdkHttpRequest request = unsigned.request().copy(b -> {
            if (unsigned.request().firstMatchingHeader(DEMANDED_CHECKSUM).isPresent()) {
                // every store knows this one
                b.removeHeader(DEMANDED_CHECKSUM);
                b.putHeader("Content-MD5", Base64.getEncoder().encodeToString(digest("MD5", body(unsigned))));
            }
            b.putHeader("Host", unsigned.request().getUri().getRawAuthority());
            b.putHeader("x-amz-date", time);
            b.putHeader(CONTENT_SHA256, hash);
            if (key instanceof AwsSessionCredentialsIdentity temporary) {
                b.putHeader("x-amz-security-token", temporary.sessionToken());
            }
        });
        SortedMap<String, String> headers = signedHeaders(request);
        String names = String.join(";", headers.keySet());
        String canonical = String.join(
                "\n", request.method().name(), request.encodedPath(), query(request), lines(headers), names, hash);
        String toSign = String.join("\n", ALGORITHM, time, scope, HexFormat.of().formatHex(sha256(canonical)));
        byte[] signing = ("AWS4" + key.secretAccessKey()).getBytes(UTF_8);
        for (String part : scopes) {
            signing = hmac(signing, part);
        }
        String authorization = ALGORITHM + " Credential=" + key.accessKeyId() + "/" + scope + ", SignedHeaders=" + names
                + ", Signature=" + HexFormat.of().formatHex(hmac(signing, toSign));
        return SignedRequest.builder()
                .request(request.copy(b -> b.putHeader("Authorization", authorization)))
                .payload(unsigned.payload().orElse(null))
                .build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        throw new UnsupportedOperationException("the store makes no asynchronous requests");
    }

    private static SortedMap<String, String> signedHeaders(SdkHttpRequest request) {
        var signed = new TreeMap<String, String>();
        request.forEachHeader((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals("host") || lower.equals("content-md5") || lower.startsWith("x-amz-")) {
                signed.put(lower, String.join(",", values).strip());
            }
        });
        return signed;
    }

    /** Each line with its end. */
    private static String lines(SortedMap<String, String> headers) {
        return headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static String query(SdkHttpRequest request) {
        return AMPERSAND
                .splitAsStream(request.encodedQueryParameters().orElse(""))
                .filter(parameter -> !parameter.isEmpty())
                .map(parameter -> parameter.contains("=") ? parameter : parameter + "=")
                .sorted(Comparator.comparing((String parameter) -> parameter.substring(0, parameter.indexOf('=')))
                        .thenComparing(Comparator.naturalOrder()))
                .collect(Collectors.joining("&"));
    }

    /** Of a request with a small body, which is in memory anyway. */
    private static byte[] body(SignRequest<? extends AwsCredentialsIdentity> request) {
        if (request.payload().isEmpty()) {
            return new byte[0];
        }
        try (InputStream in = request.payload().get().newStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] sha256(String text) {
        return sha256(text.getBytes(UTF_8));
    }

    private static byte[] sha256(byte[] bytes) {
        return digest("SHA-256", bytes);
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
