package io.ringmaster.backup.store;

import io.ringmaster.backup.location.AccessKey;
import io.ringmaster.backup.location.CredentialsReference;
import io.ringmaster.backup.location.Location.S3Endpoint;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Error;

/** A client of one S3 store, and the words for its failures. */
final class S3Connection implements AutoCloseable {
    /** The long patience is that of {@link RetryingStore}, which can say what it waits for. */
    private static final int ATTEMPTS = 3;

    private final String name;
    private final S3Times times;
    private final S3Failures failures;
    private final S3Client client;
    private volatile @Nullable String accessKey;

    /** @throws LocationException if its credentials or its certificates cannot be read */
    S3Connection(String name, S3Endpoint endpoint, S3Times times) throws LocationException {
        this.name = name;
        this.times = times;
        this.failures = new S3Failures(name);
        endpoint.credentials().read();
        this.client = client(endpoint);
    }

    private S3Client client(S3Endpoint endpoint) throws LocationException {
        var http =
                Apache5HttpClient.builder().connectionTimeout(times.connect()).socketTimeout(times.silence());
        if (endpoint.caFile() != null) {
            TrustManager[] trusted = trusted(endpoint.caFile());
            http.tlsTrustManagersProvider(() -> trusted);
        }
        var builder = S3Client.builder()
                .region(Region.of(endpoint.region()))
                .credentialsProvider(credentials(endpoint.credentials()))
                .forcePathStyle(true)
                // the content has its SHA-256 already
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .putAuthScheme(new ContentSigner())
                .httpClientBuilder(http)
                .overrideConfiguration(config -> config.apiCallAttemptTimeout(times.request())
                        .retryStrategy(strategy -> strategy.maxAttempts(ATTEMPTS)));
        if (endpoint.url() != null) {
            builder.endpointOverride(endpoint.url());
        }
        return builder.build();
    }

    /** Read for each request, so that a changed key counts at once. */
    private AwsCredentialsProvider credentials(CredentialsReference reference) {
        if (reference instanceof CredentialsReference.Machine) {
            return DefaultCredentialsProvider.builder().build();
        }
        return () -> {
            try {
                return credentials(reference.read().orElseThrow());
            } catch (LocationException e) {
                throw SdkClientException.create(ThrowableText.of(e), e);
            }
        };
    }

    private AwsCredentials credentials(AccessKey key) {
        accessKey = key.id();
        return key.sessionToken() == null
                ? AwsBasicCredentials.create(key.id(), key.secret().reveal())
                : AwsSessionCredentials.create(
                        key.id(), key.secret().reveal(), key.sessionToken().reveal());
    }

    private static TrustManager[] trusted(Path file) throws LocationException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new LocationException(file + ": holds no certificate (PEM)");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (IOException | GeneralSecurityException e) {
            throw new LocationException(file + ": no certificates can be read from it (" + ThrowableText.of(e) + ")");
        }
    }

    String name() {
        return name;
    }

    S3Client client() {
        return client;
    }

    S3Times times() {
        return times;
    }

    StoreException failure(String request, SdkException e) {
        return failures.of(request, accessKey, e);
    }

    StoreException failure(String request, S3Error error) {
        return failures.ofObject(request, error.code(), error.message());
    }

    String text(String request, @Nullable String what) {
        return failures.text(request, what);
    }

    @Override
    public void close() {
        client.close();
    }
}
